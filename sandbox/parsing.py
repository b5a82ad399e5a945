"""Parsing foreign code on the host: nothing is compiled, and the parser's warnings about it go nowhere."""

from __future__ import annotations

import ast
import threading
import warnings

# Filters of warnings belong to the whole process, so threads that change them take turns.
_filters = threading.Lock()
REASONS = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


def parse(code: str) -> ast.Module:
    """The module. Raises one of REASONS for what is no Python."""
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code, "solution.py")
