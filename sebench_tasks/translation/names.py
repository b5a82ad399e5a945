"""Which NumPy name an expression means, and what each name becomes in `zwc`."""

import ast
from collections.abc import Iterator, Mapping

ALIASES: Mapping[str, str] = {
    "trapezoid": "trapz",
    "concat": "concatenate",
    "round_": "round",
    "product": "prod",
    "cumproduct": "cumprod",
    "alltrue": "all",
    "sometrue": "any",
    "row_stack": "vstack",
    "fix": "trunc",
    "matrix_transpose": "linalg.matrix_transpose",
    "vecdot": "linalg.vecdot",
    "asarray_chkfinite": "asarray",
    "unique_values": "unique",
}
"""NumPy names outside the catalog that mean a catalogued function (for the values that plain problems hold)."""

DTYPES: Mapping[str, str] = {
    **{name: name for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")},
    **{name: name for name in ("float16", "float32", "float64", "complex64", "complex128")},
    "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16", "intc": "int32", "uintc": "uint32",
    "int_": "int64", "intp": "int64", "longlong": "int64", "uint": "uint64", "uintp": "uint64",
    "half": "float16", "single": "float32", "double": "float64", "float_": "float64", "longdouble": "float64",
    "csingle": "complex64", "cdouble": "complex128", "complex_": "complex128",
}  # fmt: skip
"""NumPy scalar types by the name of the dtype that they stand for."""

BUILTIN_TYPES: Mapping[str, str] = {
    "bool": "bool", "bool_": "bool", "bool8": "bool", "str_": "str", "object_": "object",
    "float64": "float", "double": "float", "float_": "float", "int64": "int", "int_": "int", "intp": "int",
    "complex128": "complex", "complex_": "complex", "cdouble": "complex",
}  # fmt: skip
"""NumPy scalar types that hold what a Python type holds: a call of them converts to that type."""

INSTANCE_TYPES: Mapping[str, tuple[str, ...]] = {
    "integer": ("int",), "signedinteger": ("int",), "unsignedinteger": ("int",), "inexact": ("float", "complex"),
    "floating": ("float",), "complexfloating": ("complex",), "number": ("int", "float", "complex"),
    "generic": ("bool", "int", "float", "complex"), "bool": ("bool",), "bool_": ("bool",), "str_": ("str",),
}  # fmt: skip
"""Abstract NumPy types in `isinstance`, as the Python types of the scalars that `zwc` returns."""

EXCEPTIONS: Mapping[str, tuple[str, ...]] = {
    "linalg.LinAlgError": ("ValueError",),
    "exceptions.AxisError": ("ValueError", "IndexError"),
    "AxisError": ("ValueError", "IndexError"),
    "exceptions.RankWarning": ("RuntimeWarning",),
    "RankWarning": ("RuntimeWarning",),
    "exceptions.ComplexWarning": ("RuntimeWarning",),
    "exceptions.VisibleDeprecationWarning": ("UserWarning",),
    "VisibleDeprecationWarning": ("UserWarning",),
}

CONSTANTS: Mapping[str, str] = {
    "pi": "math.pi",
    "e": "math.e",
    "inf": "float('inf')",
    "Inf": "float('inf')",
    "PINF": "float('inf')",
    "NINF": "-float('inf')",
    "nan": "float('nan')",
    "NaN": "float('nan')",
    "NAN": "float('nan')",
    "newaxis": "None",
    "euler_gamma": "0.5772156649015329",
    "True_": "True",
    "False_": "False",
}

NO_EFFECT = frozenset({"seterr", "set_printoptions", "errstate", "printoptions"})
"""Calls that change how NumPy reports, not what it computes."""

PLAIN_RESULTS = frozenset(
    {"shape", "size", "ndim", "array2string", "array_str", "array_repr", "binary_repr", "base_repr", "allclose"}
    | {"array_equal", "array_equiv", "isscalar", "issubdtype"}
)
"""Functions that return plain Python values."""

SEQUENCE_RESULTS = frozenset(
    {"split", "array_split", "hsplit", "vsplit", "meshgrid", "broadcast_arrays", "ix_", "nonzero", "unravel_index"}
    | {"modf", "frexp", "divmod", "histogram", "linalg.eig", "linalg.eigh", "linalg.qr", "linalg.svd"}
    | {"linalg.slogdet", "linalg.lstsq", "diag_indices", "tril_indices", "triu_indices"}
)
"""Functions that return tuples or lists of arrays."""

ARRAY_RESULTS = frozenset(
    {"array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "zeros", "ones", "empty", "full"}
    | {"zeros_like", "ones_like", "empty_like", "full_like", "arange", "linspace", "logspace", "geomspace", "eye"}
    | {"identity", "concatenate", "stack", "vstack", "hstack", "atleast_1d", "atleast_2d", "atleast_3d", "tile"}
    | {"repeat", "ravel", "reshape", "sort", "argsort", "unique", "diff", "cumsum", "cumprod", "flip", "roll", "pad"}
)
"""Functions that return an array, never a scalar, for the arguments of ordinary problems."""

UFUNC_METHODS = frozenset({"reduce", "accumulate", "outer", "at"})


def bindings(tree: ast.AST) -> dict[str, str]:
    """Local names that mean NumPy, one of its modules, or a function of it: `{"la": "numpy.linalg"}`."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if is_numpy(alias.name):
                    found[alias.asname or "numpy"] = alias.name if alias.asname else "numpy"
        elif isinstance(node, ast.ImportFrom) and node.module and is_numpy(node.module) and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def is_numpy(module: str) -> bool:
    """Whether a dotted module name is NumPy or inside it."""
    return module.partition(".")[0] == "numpy"


def path_of(node: ast.AST, bound: Mapping[str, str]) -> str | None:
    """NumPy path of an expression such as `np.linalg.inv`: `linalg.inv`; "" for NumPy itself; else None."""
    if isinstance(node, ast.Name):
        full = bound.get(node.id)
        return None if full is None else full.partition(".")[2]
    if isinstance(node, ast.Attribute):
        parent = path_of(node.value, bound)
        return None if parent is None else f"{parent}.{node.attr}".lstrip(".")
    return None


def function_id(path: str) -> str:
    """The catalogued name for a NumPy path: `trapezoid` is `trapz`."""
    return ALIASES.get(path, path)


def ufunc_of(path: str) -> str:
    """`add` for `add.outer` and the like; empty for any other path, such as `linalg.outer`."""
    head, _, last = path.rpartition(".")
    return head if last in UFUNC_METHODS and head != "linalg" else ""


def function_paths(source: str) -> set[str]:
    """NumPy paths, under their catalogued names, that a NumPy-form solution spells out."""
    tree = ast.parse(source)
    return {function_id(path) for path in _paths(tree, bindings(tree)) if path}


def _paths(tree: ast.AST, bound: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(tree):
        path = path_of(node, bound)
        if path:
            yield path
            if ufunc := ufunc_of(path):
                yield ufunc
