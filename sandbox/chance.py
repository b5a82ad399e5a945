"""Whether code can do different things in two runs of the same job.

Code that fails by chance can look dependent on the library: right in the plain run, wrong in the altered one. Code that
provably has no source of chance needs no second look; all other code is run twice more (`sandbox.grading`).
"""

from __future__ import annotations

import ast
import sys

from sandbox import parsing

_MODULES = frozenset(
    "zwc zwc.rfx __future__ bisect cmath collections collections.abc decimal fractions functools heapq itertools math "
    "numbers typing".split()
)
_NAMES = frozenset(
    "breakpoint compile delattr dir eval exec getattr globals hasattr hash help id input locals memoryview open repr "
    "setattr vars".split()
)
# Attributes of frames, tracebacks, generators and coroutines.
_PREFIXES = ("_", "ag_", "cr_", "f_", "gi_", "tb_")


def possible(code: str) -> bool:
    """False only if nothing in the code can differ from run to run: no clock, no random bits, no addresses.

    The test is an allow-list of imports, and refuses names and attributes through which other modules or objects of the
    interpreter can be reached.
    """
    return any(_opens_a_way(node) for node in ast.walk(parsing.parse(code)))


def _opens_a_way(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name not in _MODULES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module not in _MODULES or any(_is_suspect(alias.name) for alias in node.names)
    if isinstance(node, ast.Attribute):
        return _is_suspect(node.attr)
    if isinstance(node, ast.Name):
        return node.id in _NAMES or node.id.startswith("__")
    return isinstance(node, ast.MatchClass | ast.AsyncFunctionDef | ast.Await)


def _is_suspect(name: str) -> bool:
    return name.startswith(_PREFIXES) or name in sys.stdlib_module_names
