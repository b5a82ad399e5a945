"""Small questions to syntax trees, and small trees."""

import ast
from collections.abc import Callable

from sebench_tasks.translation import methods
from sebench_tasks.translation.kinds import FunctionNode


def without_tolist(node: ast.expr, is_module: Callable[[ast.expr], bool]) -> ast.expr:
    """A returned expression without the `.tolist()` calls whose result goes straight into the answer."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="tolist"), args=[]) if not is_module(owner):
            return owner
        case ast.List(elts=items) | ast.Tuple(elts=items):
            node.elts = [without_tolist(item, is_module) for item in items]
        case ast.ListComp(elt=item):
            node.elt = without_tolist(item, is_module)
        case ast.IfExp(body=body, orelse=other):
            node.body, node.orelse = without_tolist(body, is_module), without_tolist(other, is_module)
    return node


def calls(tree: ast.AST, name: str) -> bool:
    """Whether something in the tree calls the function of that name."""
    return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
               for node in ast.walk(tree))  # fmt: skip


def defined_methods(tree: ast.AST) -> set[str]:
    """Names of the methods of all classes."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {node.name for owner in classes for node in owner.body if isinstance(node, FunctionNode)}


def imported_names(tree: ast.AST) -> set[str]:
    """Names that imports bind, without the path below the first dot."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}


def parsed(text: str) -> ast.expr:
    """An expression from its source."""
    return ast.parse(text, mode="eval").body


def type_tuple(types: tuple[str, ...]) -> ast.expr:
    """The second argument of `isinstance` for these types."""
    return parsed(types[0] if len(types) == 1 else f"({', '.join(types)})")


def is_array(value: ast.expr) -> ast.Call:
    """A test for an array, in NumPy form."""
    is_instance = ast.Name(id="isinstance", ctx=ast.Load())
    return ast.Call(func=is_instance, args=[value, methods.function("ndarray")], keywords=[])
