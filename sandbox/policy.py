"""What can be said of code without running it. It names failures; it keeps nobody out.

Code is parsed here and compiled in the sandbox only: a few hundred characters can take a compiler minutes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from sandbox import parsing
from sandbox.records import Library, Outcome

ARRAY_LIBRARIES = frozenset(
    "numpy scipy pandas torch jax jaxlib tensorflow cupy numba sympy sklearn xarray dask polars mlx autograd "
    "statsmodels bottleneck numexpr array_api_compat array_api_strict".split()
)


def judge(code: str, library: Library) -> tuple[Outcome, str] | None:
    """An outcome with its detail, or None if the code may run."""
    try:
        module = parsing.parse(code)
    except SyntaxError as error:
        return Outcome.SYNTAX_ERROR, f"{error.msg} (line {error.lineno})"
    except parsing.REASONS as error:
        return Outcome.SYNTAX_ERROR, f"{type(error).__name__}: {error}"[:300]
    if library is Library.NUMPY:
        return None
    for name in _imports(module):
        if name.split(".")[0] in ARRAY_LIBRARIES:
            return Outcome.FORBIDDEN_IMPORT, f"imports {name}"
    if not re.search(r"\bzwc\b", code):
        return Outcome.LIBRARY_UNUSED, "zwc does not occur in the code"
    return None


def _imports(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and _is_import_call(node.func):
            yield from (a.value for a in node.args[:1] if isinstance(a, ast.Constant) and isinstance(a.value, str))


def _is_import_call(function: ast.expr) -> bool:
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in ("__import__", "import_module")
