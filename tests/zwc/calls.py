"""Valid calls of every function, as Hypothesis strategies of (positional arguments, keyword arguments)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.zwc.mirror import numpy_function
from zwc import catalog

HALVES = st.integers(-8, 8).map(lambda n: n / 2)
WHOLE = st.integers(-6, 6)
COUNT = st.integers(0, 6)
FLAG = st.booleans()
ORDER = st.sampled_from(["C", "F"])
REALS = {"float64": HALVES, "int64": WHOLE, "float32": HALVES, "int16": WHOLE}
SHAPES = st.sampled_from([(), (3,), (2, 3), (0,), (2, 1, 2)])


def arr(shape: Any = SHAPES, of: Any = None) -> Any:
    """An array. `of` maps element types to elements."""
    return st.sampled_from(sorted((of or REALS).items())).flatmap(lambda p: hnp.arrays(p[0], shape, elements=p[1]))


def loose(shape: Any = SHAPES, of: Any = None) -> Any:
    """As `arr`, or the plain nested list."""
    return arr(shape, of) | arr(shape, of).map(lambda a: a.tolist())


INTS = {"int64": WHOLE, "int8": WHOLE, "uint8": COUNT}
COUNTS = {"int64": COUNT, "uint8": COUNT}
BOOLS = {"bool": FLAG}
FLOATS = {"float64": HALVES, "float32": HALVES}
SPECIAL = {"float64": st.sampled_from([0.0, -0.0, 1.5, -2.0, float("nan"), float("inf"), float("-inf")])}
COMPLEX = {"complex128": st.builds(complex, HALVES, HALVES)}
ANY = {**REALS, **COMPLEX, **BOOLS}

VECTOR, MATRIX, CUBE = loose((4,)), loose((2, 3)), loose((2, 3, 2))
SOLID = st.sampled_from([(3,), (2, 3), (2, 1, 2)])
SQUARE = hnp.arrays("float64", (3, 3), elements=HALVES).map(lambda a: a + 20 * np.eye(3))
SQUARES = SQUARE | hnp.arrays("float64", (2, 2, 2), elements=HALVES).map(lambda a: a + 20 * np.eye(2))
SYMMETRIC = SQUARE.map(lambda a: a + a.T)


def call(*positional: Any, need: dict[str, Any] | None = None, **optional: Any) -> Any:
    """Positional arguments, needed and optional keyword arguments."""
    return st.tuples(st.tuples(*positional), st.fixed_dictionaries(need or {}, optional=optional))


def either(*calls: Any) -> Any:
    """One of several forms of call."""
    return st.one_of(*calls)


@st.composite
def along(
    draw: Any, function_id: str, more: Any = (), axes: bool = False, out: bool = True, of: Any = None, **optional: Any
) -> Any:
    """An array with an axis of it (or several), and perhaps an array for the result."""
    array = draw(arr(SOLID, of))
    arguments = (array, *(draw(strategy) for strategy in more))
    options = draw(st.fixed_dictionaries({}, optional=optional))
    axis = st.integers(-array.ndim, array.ndim - 1)
    if axes:
        axis |= st.lists(st.integers(0, array.ndim - 1), unique=True, min_size=1).map(tuple)
    if draw(FLAG):
        options["axis"] = draw(axis)
    return add_out(draw, function_id, arguments, options) if out else (arguments, options)


def add_out(draw: Any, function_id: str, arguments: Any, options: Any, masks: bool = False) -> Any:
    """Perhaps add `out` of the right shape and dtype, and with it a mask for element-wise functions."""
    if not draw(FLAG):
        return arguments, options
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        result = numpy_function(function_id)(*arguments, **options)
    results = result if isinstance(result, tuple) else (result,)
    out = tuple(np.full(np.shape(part), 5).astype(np.asarray(part).dtype) for part in results)
    options["out"] = out if len(out) > 1 or (masks and draw(FLAG)) else out[0]
    if masks and draw(FLAG):
        options["where"] = draw(hnp.arrays("bool", out[0].shape))
    return arguments, options


@st.composite
def element_wise(draw: Any, function_id: str, *operands: Any) -> Any:
    """An element-wise function, with its usual keywords."""
    arguments = tuple(draw(operand) for operand in operands)
    options = draw(st.fixed_dictionaries({}, optional={"order": ORDER, "casting": st.just("same_kind")}))
    return add_out(draw, function_id, arguments, options, masks=True)


@st.composite
def square_index(draw: Any) -> Any:
    """Distinct index arrays within a (2, 3) array."""
    return draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))


@st.composite
def histogram_data(draw: Any) -> Any:
    data = draw(hnp.arrays("float64", (6,), elements=HALVES))
    options = draw(st.fixed_dictionaries({}, optional={"density": FLAG, "range": st.just((-4, 4))}))
    if draw(FLAG):
        options["weights"] = draw(hnp.arrays("float64", (6,), elements=st.just(2.0)))
    return (data, draw(st.integers(1, 5) | st.just([-4, 0, 1, 4]))), options


UNARY = "(x, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None)"
BINARY = "(x1, x2, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None)"
INTEGER_ONLY = frozenset((
    "bitwise_count", "bitwise_invert", "bitwise_not", "invert", "gcd", "lcm", "bitwise_and", "bitwise_or",
    "bitwise_xor",
))  # fmt: skip
SHIFTS = frozenset(("bitwise_left_shift", "bitwise_right_shift", "left_shift", "right_shift"))
NUMBER_LIKE = frozenset((
    "abs", "absolute", "negative", "positive", "square", "conj", "conjugate", "exp", "sin", "cos", "sqrt",
))  # fmt: skip


def element_wise_calls() -> dict[str, Any]:
    """Calls of all element-wise functions with the usual signature."""
    found = {}
    for function_id, entry in catalog.load().items():
        if entry.signature == UNARY:
            more = COMPLEX if function_id in NUMBER_LIKE else SPECIAL
            operand = arr(of=INTS) if function_id in INTEGER_ONLY else loose(of={**REALS, **more})
            found[function_id] = element_wise(function_id, operand)
        elif entry.signature == BINARY:
            left, right = (INTS, INTS) if function_id in INTEGER_ONLY else (REALS, REALS)
            if function_id in SHIFTS:
                left, right = INTS, COUNTS
            if function_id in ("power", "pow"):
                left, right = FLOATS, INTS
            if function_id == "ldexp":
                left, right = FLOATS, {"int64": WHOLE}
            one = arr((3,), left), arr((2, 3), right)
            two = arr((2, 1), left), loose((3,), right)
            three = arr(SHAPES, left), COUNT
            found[function_id] = either(*(element_wise(function_id, *operands) for operands in (one, two, three)))
    return found


def times_two(values: Any, factor: Any = 2) -> Any:
    """A callback."""
    return values * factor


def reductions() -> dict[str, Any]:
    """Functions that reduce or scan along axes."""
    keep = {"keepdims": FLAG}
    found = {i: along(i, axes=True, **keep) for i in ("amax", "amin", "max", "min", "ptp", "mean", "std", "var")}
    found |= {i: along(i, axes=True, initial=WHOLE, **keep) for i in ("sum", "prod")}
    found |= {i: along(i, axes=True, of=ANY, **keep) for i in ("all", "any")}
    found |= {i: along(i, of=REALS, **keep) for i in ("argmax", "argmin")}
    found |= {i: along(i) for i in ("cumsum", "cumprod")}
    found |= {i: along(i, axes=True, of=FLOATS, overwrite_input=FLAG, **keep) for i in ("median",)}
    level = {"quantile": st.sampled_from([0, 0.25, 0.5, 1]), "percentile": st.sampled_from([0, 25, 60, 100])}
    methods = st.sampled_from(["linear", "lower", "higher", "midpoint", "nearest", "hazen"])
    found |= {
        i: along(i, (q | st.lists(q, min_size=1, max_size=2),), axes=True, of=FLOATS, out=False, method=methods, **keep)
        for i, q in level.items()
    }
    found["average"] = along("average", axes=False, out=False, **keep)
    found["count_nonzero"] = along("count_nonzero", axes=True, out=False, of=ANY, **keep)
    found |= {i: along(i, out=False, kind=st.sampled_from(["stable", "quicksort"])) for i in ("sort", "argsort")}
    found |= {i: along(i, (st.integers(-1, 0),), out=False) for i in ("partition", "argpartition")}
    found["mean"] = either(found["mean"], along("mean", out=False, dtype=st.sampled_from([float, "float32"])))
    found["std"] = either(found["std"], along("std", out=False, ddof=st.integers(0, 1)))
    found["diff"] = along("diff", out=False, n=st.integers(0, 3))
    found["unwrap"] = along("unwrap", out=False, of=FLOATS, period=st.just(3.0))
    found["flip"] = along("flip", axes=True, out=False)
    found["roll"] = along("roll", (st.integers(-3, 3),), out=False)
    found["repeat"] = along("repeat", (st.integers(0, 3),), out=False)
    found["take"] = call(MATRIX, st.lists(st.integers(-2, 1), max_size=3), axis=st.sampled_from([0, 1, None]))
    found["trapz"] = either(along("trapz", out=False, dx=st.just(0.5)), call(VECTOR, st.just([0.0, 1, 3, 4])))
    return found


def creation() -> dict[str, Any]:
    """Functions that make arrays."""
    dtype = st.sampled_from([int, float, "float32", "int8", complex, bool, "uint8"])
    shape = st.integers(0, 3) | st.lists(st.integers(0, 3), max_size=3).map(tuple)
    like = {"dtype": dtype, "order": st.sampled_from("CFAK"), "shape": st.sampled_from([None, (2,), (1, 3)])}
    numbers = st.sampled_from([1, 2.5, -3])
    ends = st.integers(1, 8), st.integers(1, 8)
    space = {"num": st.integers(0, 6), "endpoint": FLAG, "dtype": st.sampled_from([float, "float32", None])}
    return {
        "arange": either(
            call(st.integers(-3, 9), dtype=dtype.filter(lambda d: d is not bool)),
            call(WHOLE, WHOLE, st.sampled_from([1, 2, -1, 0.5])),
            call(HALVES, HALVES),
        ),
        "array": call(
            loose(of=ANY), dtype=st.sampled_from([complex, object, None]), ndmin=st.integers(0, 4), order=ORDER
        ),
        "asanyarray": call(loose(of=ANY), dtype=st.just(complex), order=ORDER),
        "asarray": call(loose(of=ANY), dtype=st.just(complex), copy=st.sampled_from([True, None])),
        "ascontiguousarray": call(loose(of=ANY), dtype=st.just(complex)),
        "asfortranarray": call(loose(of=ANY), dtype=st.just(complex)),
        "astype": call(arr(), dtype, copy=FLAG),
        "copy": call(loose(of=ANY), order=st.sampled_from("CFAK")),
        "zeros": call(shape, dtype=dtype, order=ORDER),
        "ones": call(shape, dtype=dtype, order=ORDER),
        "full": call(shape, numbers, dtype=dtype, order=ORDER),
        "zeros_like": call(loose(), **like),
        "ones_like": call(loose(), **like),
        "full_like": call(loose(), numbers, **like),
        "eye": call(st.integers(0, 4), M=st.integers(0, 4), k=st.integers(-2, 2), dtype=dtype),
        "identity": call(st.integers(0, 4), dtype=dtype),
        "tri": call(st.integers(0, 4), M=st.integers(0, 4), k=st.integers(-2, 2), dtype=dtype),
        "linspace": call(HALVES, HALVES, retstep=FLAG, **space),
        "logspace": call(st.integers(-2, 2), st.integers(0, 3), base=st.sampled_from([2, 10.0]), **space),
        "geomspace": call(*ends, **space),
        "meshgrid": call(loose((2,)), loose((3,)), sparse=FLAG, indexing=st.sampled_from(["xy", "ij"]), copy=FLAG),
        "ix_": call(st.just([0, 1]), hnp.arrays("int64", (2,), elements=COUNT)),
    }


def shaping() -> dict[str, Any]:
    """Functions that rearrange."""
    triple = st.tuples(loose((2, 3)), loose((2, 3)), loose((2, 3)))
    pair = st.lists(arr((2, 3)), min_size=1, max_size=3)
    axis = st.integers(-2, 1)
    casting = {"casting": st.sampled_from(["unsafe", "same_kind"]), "dtype": st.sampled_from([float, complex])}
    at_least = call(loose(), loose(of=ANY))
    return {
        "atleast_1d": at_least,
        "atleast_2d": either(at_least, call(loose())),
        "atleast_3d": at_least,
        "block": call(st.just([[[1], [2]], [[3], [4]]]) | st.tuples(arr((2, 2)), arr((2, 1))).map(list)),
        "broadcast_to": call(loose((3,)), st.sampled_from([(3,), (2, 3), (1, 2, 3)])),
        "broadcast_arrays": call(loose((2, 1)), loose((3,)), HALVES),
        "concatenate": call(triple | pair, axis=st.sampled_from([0, 1, -1, None]), **casting),
        "stack": call(triple | pair, axis=st.integers(-3, 2), **casting),
        "hstack": call(triple, **casting),
        "vstack": call(triple | pair, **casting),
        "delete": call(
            MATRIX, st.integers(-2, 1) | st.just([0]) | st.just(slice(None, None, 2)), axis=axis | st.none()
        ),
        "insert": call(MATRIX, st.integers(-2, 2), HALVES, axis=axis | st.none()),
        "diagonal": call(MATRIX, offset=axis),
        "expand_dims": call(MATRIX, st.integers(-3, 2) | st.just((0, 3))),
        "moveaxis": call(CUBE, axis, axis),
        "swapaxes": call(CUBE, axis, axis),
        "rollaxis": call(arr((2, 3, 2)), axis, st.integers(0, 3)),
        "pad": either(
            call(MATRIX, st.integers(0, 2), st.sampled_from(["constant", "edge", "reflect", "wrap", "symmetric"])),
            call(MATRIX, st.just(((1, 2), (0, 1))), constant_values=WHOLE),
            call(MATRIX, st.just(1), st.just("mean")),
        ),
        "ravel": call(loose(), order=st.sampled_from("CFAK")),
        "reshape": call(MATRIX, st.sampled_from([6, (3, 2), (-1, 2), (1, -1)]), order=ORDER),
        "resize": call(MATRIX, st.sampled_from([(4,), (3, 3), 0])),
        "rot90": call(MATRIX, k=st.integers(-3, 3), axes=st.sampled_from([(0, 1), (1, 0)])),
        "split": call(hnp.arrays("int64", (4, 6), elements=WHOLE), st.sampled_from([2, [1, 3], (0, 2)]), axis=axis),
        "squeeze": call(loose((1, 3, 1)), axis=st.sampled_from([0, 2, (0, 2), None])),
        "size": call(CUBE, axis=st.sampled_from([0, 1, None])),
        "shape": call(loose()),
        "tile": call(MATRIX, st.integers(0, 3) | st.just((2, 1, 2))),
        "transpose": call(CUBE, axes=st.permutations([0, 1, 2]) | st.none()),
        "permute_dims": call(CUBE, axes=st.permutations([0, 1, 2])),
        "diag": call(loose((3,)) | loose((2, 3)), k=axis),
        "diagflat": call(MATRIX, k=axis),
        "tril": call(MATRIX, k=axis),
        "triu": call(CUBE, k=axis),
        "trace": call(MATRIX, offset=axis, dtype=st.just(float)),
    }


def selecting() -> dict[str, Any]:
    """Functions that search, pick and put."""
    mask = hnp.arrays("bool", (2, 3))
    table = arr((2, 3))
    sets = loose((4,)), loose((3,))
    ordered = hnp.arrays("float64", (5,), elements=HALVES).map(np.sort)
    return {
        "argwhere": call(loose(of=ANY)),
        "nonzero": call(loose(SOLID, ANY)),
        "sort_complex": call(VECTOR | loose((3,), COMPLEX)),
        "allclose": call(MATRIX, loose((3,)), rtol=st.just(0.5), equal_nan=FLAG),
        "isclose": call(MATRIX, loose((3,), SPECIAL), equal_nan=FLAG),
        "isreal": call(loose(of=ANY)),
        "sinc": call(loose()),
        "choose": call(
            st.lists(st.integers(0, 1), min_size=3, max_size=3),
            st.lists(loose((3,)), min_size=2, max_size=2),
            mode=st.just("clip"),
        ),
        "compress": call(st.lists(FLAG, min_size=2, max_size=2), MATRIX, axis=st.just(0)),
        "copyto": call(
            hnp.arrays("float64", (2, 3), elements=HALVES), loose((3,)), where=mask, casting=st.just("unsafe")
        ),
        "extract": call(mask, MATRIX),
        "intersect1d": call(*sets, return_indices=FLAG),
        "union1d": call(*sets),
        "lexsort": call(loose((2, 3)), axis=st.just(-1)),
        "place": call(table, mask, st.just([1, 2])),
        "put": call(table, square_index(), st.just([7, 8]), mode=st.just("wrap")),
        "putmask": call(table, mask, st.just([1, 2, 3])),
        "searchsorted": call(ordered, HALVES | loose((2,)), side=st.sampled_from(["left", "right"])),
        "select": call(st.lists(mask, min_size=2, max_size=2), st.lists(table, min_size=2, max_size=2), default=WHOLE),
        "unique": call(
            MATRIX, return_index=FLAG, return_inverse=FLAG, return_counts=FLAG, axis=st.sampled_from([0, 1, None])
        ),
        "unravel_index": call(square_index() | st.integers(0, 5), st.just((2, 3)), order=ORDER),
        "where": either(call(mask), call(mask, MATRIX, HALVES), call(FLAG, HALVES, WHOLE)),
        "array_equal": call(MATRIX, MATRIX, equal_nan=FLAG),
        "array_equiv": call(MATRIX, loose((3,))),
        "digitize": call(VECTOR, ordered, right=FLAG),
        "bincount": call(st.lists(COUNT, max_size=5), minlength=COUNT),
        "histogram": histogram_data(),
    }


def calculus() -> dict[str, Any]:
    """Sums of products, polynomials, interpolation, statistics of pairs."""
    floats = hnp.arrays("float64", (5,), elements=HALVES)
    spread = floats.map(lambda a: a + np.arange(5) * 9)
    vectors = loose((3,)), loose((3,))
    threes = loose((2, 3)), loose((3,))
    outs = {"casting": st.just("same_kind"), "order": ORDER}
    return {
        "clip": call(MATRIX, st.integers(-3, 0), st.integers(0, 3)),
        "around": call(loose(), decimals=axis()),
        "round": call(loose(), decimals=axis()),
        "nan_to_num": call(arr(of=SPECIAL), nan=HALVES, posinf=HALVES, neginf=HALVES, copy=FLAG),
        "frexp": element_wise("frexp", arr(of=FLOATS)),
        "modf": element_wise("modf", arr(of=FLOATS)),
        "divmod": element_wise("divmod", arr((2, 3)), arr((3,))),
        "real": call(loose(of=ANY)),
        "imag": call(loose(of=ANY)),
        "convolve": call(*vectors, mode=st.sampled_from(["full", "same", "valid"])),
        "correlate": call(*vectors, mode=st.sampled_from(["full", "same", "valid"])),
        "gradient": either(
            call(spread, HALVES.filter(bool)),
            call(
                hnp.arrays("float64", (3, 4), elements=HALVES),
                axis=st.sampled_from([0, 1, None]),
                edge_order=st.integers(1, 2),
            ),
        ),
        "interp": call(VECTOR, floats.map(lambda a: np.sort(a) + np.arange(5)), floats, left=HALVES, right=HALVES),
        "polyfit": call(spread, floats, st.integers(0, 2), full=st.just(False)),
        "polyval": call(loose((3,)), loose()),
        "roots": call(st.just([1, -3, 2]) | st.just([2.0, 0, -8])),
        "dot": either(call(*vectors), call(*threes), call(HALVES, MATRIX)),
        "inner": either(call(*vectors), call(*threes)),
        "outer": call(*threes),
        "vdot": call(loose((3,), COMPLEX), loose((3,), COMPLEX)),
        "kron": call(*threes),
        "cross": call(loose((2, 3)), loose((3,)), axis=st.just(-1)),
        "matmul": either(call(*threes, **outs), call(arr((2, 2, 3)), arr((3, 2)))),
        "tensordot": call(loose((2, 3)), loose((3, 2)), need={"axes": st.sampled_from([1, ([1], [0])])}),
        "corrcoef": call(hnp.arrays("float64", (2, 5), elements=HALVES), rowvar=FLAG),
        "cov": call(hnp.arrays("float64", (2, 5), elements=HALVES), ddof=st.integers(0, 1), bias=FLAG),
    }


def axis() -> Any:
    """Axes of a matrix; also decimals."""
    return st.integers(-2, 1)


def linear_algebra() -> dict[str, Any]:
    """The submodule."""
    vector, wide = loose((3,)), hnp.arrays("float64", (2, 3), elements=HALVES)
    order = st.sampled_from([None, 1, 2, float("inf"), "fro", "nuc", -1])
    calls = {
        "det": call(SQUARES),
        "eig": call(SQUARE),
        "eigvals": call(SQUARE),
        "inv": call(SQUARES),
        "slogdet": call(SQUARES),
        "solve": either(call(SQUARE, vector), call(SQUARE, loose((3, 2)))),
        "cross": call(MATRIX, vector),
        "vecdot": call(MATRIX, vector, axis=st.just(-1)),
        "eigh": call(SYMMETRIC, UPLO=st.sampled_from("LU")),
        "eigvalsh": call(SYMMETRIC, UPLO=st.sampled_from("LU")),
        "matmul": call(MATRIX, vector),
        "outer": call(vector, loose((2,))),
        "matrix_transpose": call(CUBE),
        "svdvals": call(wide),
        "cholesky": call(hnp.arrays("float64", (3, 3), elements=HALVES).map(lambda a: a @ a.T + np.eye(3)), upper=FLAG),
        "cond": call(SQUARE, p=order),
        "diagonal": call(CUBE, offset=axis()),
        "lstsq": call(wide, loose((2,)), rcond=st.just(None)),
        "matrix_norm": call(wide, keepdims=FLAG, ord=order),
        "matrix_power": call(SQUARE, st.integers(-2, 3)),
        "matrix_rank": call(wide, tol=st.just(0.5)),
        "multi_dot": call(st.tuples(wide, SQUARE, loose((3,)))),
        "norm": either(
            call(wide, ord=order, keepdims=FLAG),
            call(VECTOR, ord=st.sampled_from([0, 1, 3, None])),
            call(wide, axis=axis()),
        ),
        "pinv": call(wide, hermitian=st.just(False)),
        "qr": call(wide, mode=st.sampled_from(["reduced", "complete", "r"])),
        "svd": call(wide, full_matrices=FLAG, compute_uv=FLAG),
        "tensordot": call(loose((2, 3)), loose((3, 2)), need={"axes": st.just(1)}),
        "tensorinv": call(SQUARE.map(lambda a: a.reshape(3, 3, 1)), need={"ind": st.just(1)}),
        "tensorsolve": call(SQUARE, vector),
        "trace": call(CUBE, offset=axis(), dtype=st.just(float)),
        "vector_norm": call(wide, axis=axis(), keepdims=FLAG, ord=st.sampled_from([1, 2, 3, float("inf")])),
    }
    return {f"linalg.{name}": strategy for name, strategy in calls.items()}


def text_and_callables() -> dict[str, Any]:
    """Text and callbacks."""
    numbers = hnp.arrays("float64", (3,), elements=HALVES)
    style = {"precision": st.integers(0, 3), "suppress_small": FLAG, "max_line_width": st.just(20)}
    above = numbers.map(lambda x: (x, [x > 0, x < -1]))
    return {
        "base_repr": call(WHOLE, base=st.integers(2, 16), padding=COUNT),
        "binary_repr": call(WHOLE, width=st.just(8)),
        "array2string": call(arr(), separator=st.just(", "), sign=st.sampled_from("+- "), **style),
        "array_repr": call(arr(), **style),
        "array_str": call(arr(), **style),
        "piecewise": st.tuples(
            above.map(lambda pair: (*pair, [times_two, -1.0, 5])), st.sampled_from([{}, {"factor": 3}])
        ),
    }


def calls() -> dict[str, Any]:
    """A strategy of valid calls per function id: all but `vectorize` and those that make uninitialised memory."""
    return {
        **element_wise_calls(),
        **reductions(),
        **creation(),
        **shaping(),
        **selecting(),
        **calculus(),
        **linear_algebra(),
        **text_and_callables(),
    }
