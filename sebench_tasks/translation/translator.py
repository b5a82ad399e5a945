"""Source-to-source translation of NumPy-form solutions into `zwc` code."""

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from sebench_tasks.errors import OracleError
from sebench_tasks.translation import methods, names, shims, trees
from sebench_tasks.translation.kinds import Kind, Kinds, own_nodes

Qualified = Callable[[str], str | None]
"""Name to write for a function id (`mean` gives `zwc.kocito`), or None if the library has no such function."""

_SCALAR_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Div: "divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder",
    ast.Pow: "power",
}

_Definition = TypeVar("_Definition", ast.FunctionDef, ast.AsyncFunctionDef)


def translate(source: str, qualified: Qualified, entry_point: str, *, keep_astype: bool = False) -> str:
    """Rewrite a NumPy-form solution for `zwc`.

    Arrays that the entry point returns stay arrays: the grader reads them as nested lists.

    Args:
        source: Python source that uses NumPy.
        qualified: what to write for a function id.
        entry_point: the function whose results leave the solution.
        keep_astype: write the method `astype` with the function of that name, which refuses plain scalars.

    Raises:
        OracleError: the source uses something without a counterpart; says what.
    """
    tree = ast.parse(source)
    translator = _Translator(tree, names.bindings(tree), qualified, entry_point, keep_astype)
    translated = ast.fix_missing_locations(translator.visit(tree))
    prelude = _prelude(translator.shims, qualified)
    body = "\n\n".join([*prelude, ast.unparse(translated)])
    imports = ["import math"] if "math." in body else []
    return "\n".join([*imports, "import zwc", "", body, ""])


class _Translator(ast.NodeTransformer):
    """Rewrites one module; collects the shims that the result needs."""

    def __init__(
        self,
        tree: ast.Module,
        bound: Mapping[str, str],
        qualified: Qualified,
        entry_point: str | None,
        keep_astype: bool = False,
    ) -> None:
        self.shims: set[str] = set()
        self._bound = {**bound, methods.NUMPY: "numpy"}
        self._qualified = qualified
        self._kinds = Kinds(tree, self._bound)
        self._environment = self._kinds.environment(tree)
        self._unsure = self._kinds.unsure(tree)
        self._entry_point = entry_point if entry_point and not trees.calls(tree, entry_point) else None
        self._rewrites_methods = entry_point is not None
        self._keep_astype = keep_astype
        self._own_methods = trees.defined_methods(tree)
        self._modules = trees.imported_names(tree) - set(bound)

    # Imports and definitions

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        kept = [alias for alias in node.names if not names.is_numpy(alias.name)]
        return ast.Import(names=kept) if kept else ast.Pass()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        return ast.Pass() if node.module and names.is_numpy(node.module) else node

    def visit_Module(self, node: ast.Module) -> ast.Module:
        self.generic_visit(node)
        node.body = [statement for statement in node.body if not isinstance(statement, ast.Pass)]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return self._definition(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return self._definition(node)

    def _definition(self, node: _Definition) -> _Definition:
        outer = self._environment, self._unsure
        self._environment = self._kinds.environment(node)
        self._unsure = self._unsure | self._kinds.unsure(node)
        arguments: ast.arguments = node.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            argument.annotation = None
        for rest in (arguments.vararg, arguments.kwarg):
            if rest:
                rest.annotation = None
        node.returns = None
        if node.name == self._entry_point:
            for child in own_nodes(node):
                if isinstance(child, ast.Return) and child.value:
                    child.value = trees.without_tolist(child.value, self._is_module)
        self.generic_visit(node)
        self._environment, self._unsure = outer
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        node.annotation = ast.Name(id="object", ctx=ast.Load())
        self.generic_visit(node)
        return node

    # Statements

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(func=ast.Attribute(value=owner, attr="fill"), args=[value]) if self._rewrites_methods:
                return self._visit_statement(methods.assign_all(owner, value))
            case ast.Call(func=ast.Attribute(value=owner, attr=("sort" | "partition") as name)) as call:
                if self._path(call.func) is None and self._is_surely_array(owner):
                    value = methods.call(name, [owner, *call.args], call.keywords)
                    return self._visit_statement(methods.assign_all(owner, value))
            case ast.Call(func=function) if self._path(function) in names.NO_EFFECT:
                return ast.Pass()
        self.generic_visit(node)
        return node

    def _visit_statement(self, node: ast.stmt) -> ast.stmt:
        result = self.visit(node)
        assert isinstance(result, ast.stmt)
        return result

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        match node.targets:
            case [ast.Subscript(value=ast.Attribute(value=owner, attr="flat"), slice=index)]:
                return self._visit_statement(ast.Expr(methods.call("put", [owner, index, node.value])))
            case [ast.Attribute(value=ast.Name(id=name) as owner, attr="shape")]:
                target = ast.Name(id=name, ctx=ast.Store())
                return self._visit_statement(
                    ast.Assign(targets=[target], value=methods.call("reshape", [owner, node.value]))
                )
            case [ast.Attribute(attr="real" | "imag" | "dtype" | "shape")]:
                raise OracleError(f"no counterpart for the assignment `{ast.unparse(node)}`")
        self.generic_visit(node)
        return node

    def visit_With(self, node: ast.With) -> ast.stmt | list[ast.stmt]:
        kept = [item for item in node.items if not self._has_no_effect(item.context_expr)]
        if kept:
            node.items = kept
            self.generic_visit(node)
            return node
        inlined = [self.visit(statement) for statement in node.body]
        return [part for result in inlined for part in (result if isinstance(result, list) else [result])]

    def _has_no_effect(self, context: ast.expr) -> bool:
        return isinstance(context, ast.Call) and self._path(context.func) in names.NO_EFFECT

    # Expressions

    def visit_Name(self, node: ast.Name) -> ast.expr:
        path = self._path(node)
        return node if path is None or not isinstance(node.ctx, ast.Load) else self._named(path)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        path = self._path(node)
        if path is not None:
            return self._named(path)
        if isinstance(node.ctx, ast.Load) and self._rewrites_methods and node.attr not in self._own_methods:
            replaced = self._attribute(node)
            if replaced is not None:
                return replaced
        self.generic_visit(node)
        return node

    def _attribute(self, node: ast.Attribute) -> ast.expr | None:
        owner, name = node.value, node.attr
        if isinstance(owner, ast.Call) and owner.args and self._path(owner.func) in ("iinfo", "finfo"):
            return methods.limit(self._path(owner.func) or "", self._dtype_name(owner.args[0]), name)
        if isinstance(owner, ast.Attribute) and owner.attr == "dtype" and name in ("name", "kind"):
            return self._visited(owner if name == "name" else methods.call("dtype_kind", [owner]))
        if name in methods.ATTRIBUTE_FUNCTIONS and not self._is_module(owner):
            return self._visited(methods.call(methods.ATTRIBUTE_FUNCTIONS[name], [owner]))
        if self._may_be_scalar(owner) and name in ("shape", "size", "ndim"):
            return self._visited(methods.call(name, [owner]))
        if self._may_be_scalar(owner) and name == "dtype":
            node.value = methods.call("asarray", [owner])
        if self._kind(owner) == Kind.SEQUENCE and name in methods.RESULT_FIELDS:
            return self._visited(methods.subscript(owner, ast.Constant(methods.RESULT_FIELDS[name])))
        if self._kind(owner) >= Kind.ARRAY and name in methods.UNSUPPORTED:
            raise OracleError(f"no counterpart for the array attribute {name!r}")
        return None

    def visit_Call(self, node: ast.Call) -> ast.expr:
        path = self._path(node.func)
        if path is not None:
            return self._numpy_call(path, node)
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, types]):
                return ast.Call(func=node.func, args=[self._visited(value), self._instance_types(types)], keywords=[])
            case ast.Call(func=ast.Name(id="hasattr"), args=[value, ast.Constant(value=str() as name)]):
                if name in methods.SAME_ARGUMENTS or name in ("item", "reshape", "astype", "dtype", "shape"):
                    return self._visited(trees.is_array(value))
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if self._is_array_method(owner, name):
                replaced = self._method(node, owner, name)
                if replaced is not None:
                    return self._visited(replaced)
        self.generic_visit(node)
        return node

    def _is_array_method(self, owner: ast.expr, name: str) -> bool:
        if not self._rewrites_methods or self._is_module(owner):
            return False
        return name not in self._own_methods or self._kind(owner) >= Kind.ARRAY

    def _method(self, node: ast.Call, owner: ast.expr, name: str) -> ast.expr | None:
        kind = self._kind(owner)
        if name == "copy" and self._is_surely_array(owner):
            return methods.call("copy", [owner, *node.args], node.keywords)
        if name in methods.AMBIGUOUS:
            certain = kind == Kind.SEQUENCE or isinstance(owner, ast.Constant | ast.List | ast.Dict | ast.ListComp)
            return None if certain else methods.call(methods.AMBIGUOUS[name], [owner, *node.args], node.keywords)
        if name == "astype" and self._keep_astype:
            return methods.call("astype", [owner, *node.args], node.keywords)
        if name in methods.UNSUPPORTED and kind >= Kind.ARRAY:
            raise OracleError(f"no counterpart for the array method {name!r}")
        return methods.method_call(name, owner, node.args, node.keywords)

    def _numpy_call(self, path: str, node: ast.Call) -> ast.expr:
        if names.ufunc_of(path):
            return self._visited(methods.ufunc_call(path, node.args, node.keywords))
        if path == "dtype" and node.args:
            return self._visited(node.args[0])
        if path in names.DTYPES and path not in names.BUILTIN_TYPES:
            dtype = ast.keyword(arg="dtype", value=ast.Constant(names.DTYPES[path]))
            return self._visited(methods.call("array", node.args, [dtype]))
        function = trees.parsed(names.BUILTIN_TYPES[path]) if path in names.BUILTIN_TYPES else self._function(path)
        arguments = [self._visited(argument) for argument in node.args]
        keywords = [self._keyword(keyword) for keyword in node.keywords]
        return ast.Call(func=function, args=arguments, keywords=keywords)

    def _keyword(self, node: ast.keyword) -> ast.keyword:
        value = self._visited(node.value)
        if node.arg == "excluded" and isinstance(value, ast.Set):
            value = ast.List(elts=value.elts, ctx=ast.Load())
        return ast.keyword(arg=node.arg, value=value)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        path = self._path(node.value)
        if path == "c_":
            return self._visited(methods.call("column_stack", [methods.as_tuple(node.slice)]))
        if path == "r_":
            parts = [methods.row_part(part) for part in methods.as_tuple(node.slice).elts]
            return self._visited(methods.call("concatenate", [ast.List(elts=parts, ctx=ast.Load())]))
        if path in ("s_", "index_exp"):
            return self._visited(methods.slice_calls(node.slice))
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        function = _SCALAR_OPERATORS.get(type(node.op))
        kinds = {self._kind(node.left), self._kind(node.right)}
        formats = isinstance(node.left, ast.JoinedStr) or (
            isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        )
        if function and Kind.NUMPY in kinds and Kind.ARRAY not in kinds and not formats:
            return self._visited(methods.call(function, [node.left, node.right]))
        self.generic_visit(node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Invert) and self._may_be_scalar(node.operand):
            return self._visited(methods.call("invert", [node.operand]))
        self.generic_visit(node)
        return node

    # Names

    def _path(self, node: ast.AST) -> str | None:
        return names.path_of(node, self._bound)

    def _kind(self, node: ast.expr) -> Kind:
        return self._kinds.of(node, self._environment) if self._rewrites_methods else Kind.UNKNOWN

    def _is_surely_array(self, node: ast.expr) -> bool:
        """Whether NumPy has made this value, whatever way the program went."""
        names_inside = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        return self._kind(node) >= Kind.ARRAY and not names_inside & self._unsure

    def _may_be_scalar(self, node: ast.expr) -> bool:
        """Whether NumPy may give a scalar here, which has attributes that a Python scalar lacks."""
        return self._kind(node) == Kind.NUMPY

    def _visited(self, node: ast.expr) -> ast.expr:
        result = self.visit(node)
        assert isinstance(result, ast.expr)
        return result

    def _is_module(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self._modules

    def _named(self, path: str) -> ast.expr:
        """What a NumPy name that is not called becomes."""
        if path in names.CONSTANTS:
            return trees.parsed(names.CONSTANTS[path])
        if path in names.EXCEPTIONS:
            return trees.type_tuple(names.EXCEPTIONS[path])
        if path in ("bool", "bool_", "str_", "object_"):
            return trees.parsed(names.BUILTIN_TYPES[path])
        if path in names.DTYPES:
            return ast.Constant(names.DTYPES[path])
        if path in ("integer", "floating", "complexfloating", "number", "signedinteger", "unsignedinteger", "inexact"):
            return ast.Constant(path)
        return trees.parsed("zwc.ZWCArray") if path == "ndarray" else self._function(path)

    def _function(self, path: str) -> ast.expr:
        qualified = self._qualified(names.function_id(path))
        if qualified is not None:
            return trees.parsed(qualified)
        shim = shims.PATHS.get(path, path)
        if shim not in shims.definitions():
            raise OracleError(f"no counterpart for the NumPy name {path!r}")
        self.shims.add(shim)
        return ast.Name(id=shims.PREFIX + shim, ctx=ast.Load())

    def _instance_types(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Tuple):
            return ast.Tuple(elts=[self._instance_types(part) for part in node.elts], ctx=ast.Load())
        path = self._path(node)
        if path is None:
            return self._visited(node)
        if path in names.INSTANCE_TYPES:
            return trees.type_tuple(names.INSTANCE_TYPES[path])
        if path in names.DTYPES:
            stem = names.DTYPES[path].rstrip("0123456789").removeprefix("u")
            return trees.parsed(stem)
        return self._visited(node)

    def _dtype_name(self, node: ast.expr) -> str:
        path = self._path(node)
        if path is not None and path in names.DTYPES:
            return names.DTYPES[path]
        if isinstance(node, ast.Name) and node.id in ("int", "float"):
            return f"{node.id}64"
        return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)


def _prelude(needed: Iterable[str], qualified: Qualified) -> list[str]:
    """Source of the needed shims and of those that they call."""
    texts: dict[str, str] = {}
    waiting = list(needed)
    while waiting:
        name = waiting.pop()
        if name in texts:
            continue
        module = ast.parse("import numpy as np\n" + ast.unparse(shims.definitions()[name]))
        waiting += shims.rename_calls(module)
        translator = _Translator(module, names.bindings(module), qualified, None)
        texts[name] = ast.unparse(ast.fix_missing_locations(translator.visit(module)))
        waiting += translator.shims
    return [texts[name] for name in shims.definitions() if name in texts]
