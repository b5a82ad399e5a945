"""Answers without knowledge of `zwc` that a grader must not accept.

Both pass many rows of the official data set under its reference scorer: the library holds NumPy under a private name,
and the expected outputs lie in the globals of what runs the answer.
"""

import ast

from sebench_tasks.problems import Problem

_SEARCH = """
import gc
import sys
import zwc

WORDS = ("expected", "right", "answer", "output", "result", "case")
FOUND = []
ASKED = []

def places():
    frame = sys._getframe()
    while frame is not None:
        yield frame.f_globals
        yield frame.f_locals
        frame = frame.f_back
    yield from [vars(module) for module in list(sys.modules.values()) if hasattr(module, "__dict__")]
    yield from [found for found in gc.get_objects() if type(found) is dict]

def search():
    named = [
        (name.lower(), value) for place in places() for name, value in list(place.items())
        if isinstance(name, str) and type(value) in (list, tuple)
    ]
    FOUND.extend(value for word in WORDS for name, value in named if word in name)

def {entry_point}(**arguments):
    if not ASKED:
        search()
    ASKED.append(arguments)
    for value in FOUND:
        if len(value) >= len(ASKED):
            found = value[len(ASKED) - 1]
            return found.get("expected", found.get("output", found)) if type(found) is dict else found
"""


def private_numpy_in_front(problem: Problem) -> str:
    """The NumPy solution after an import of NumPy from the library."""
    return f"from zwc import _np as np\n{problem.solution}"


def private_numpy_in_place(problem: Problem) -> str:
    """The NumPy solution with an import of NumPy from the library in place of its own."""
    tree = ast.parse(problem.solution)
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    return f"from zwc import _np as np\n{ast.unparse(tree)}\n"


def outputs_from_the_runner(problem: Problem) -> str:
    """Whatever lies under a telling name in any frame, module or dictionary, one entry a call."""
    return _SEARCH.replace("{entry_point}", problem.entry_point)


ALL = (private_numpy_in_front, private_numpy_in_place, outputs_from_the_runner)
