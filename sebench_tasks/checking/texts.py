"""Rules about what the record itself shows: statement, signature, functions, size."""

import ast
import json
import re
from collections.abc import Iterator

from sebench_tasks import problems
from sebench_tasks.problems import Problem
from sebench_tasks.translation import methods, names
from zwc.catalog import load
from zwc.vocabulary import Vocabulary

STATEMENT_WORDS = (25, 160)
RECORD_LIMIT_BYTES = 20_000
MIN_COMPOSED = 3
FORBIDDEN_WORDS = frozenset({"numpy", "np", "zwc", "ndarray", "linalg", "ufunc", "scipy", "rfx"})
_ENGLISH = """
    absolute add all any around array average block choose clip compress conjugate copy correlate cross degrees
    delete diagonal divide dot empty equal extract eye flip floor full gradient greater histogram identity inner
    insert invert less log maximum mean median minimum multiply negative nonzero norm ones outer pad
    partition percentile piecewise place positive power put quantile radians real reciprocal remainder repeat
    reshape resize roll roots round select shape sign size solve sort spacing split square stack subtract sum take
    tan tile trace transpose unique unwrap where zeros
"""
PLAIN_ENGLISH = frozenset(_ENGLISH.split())
"""Function ids that statements may use as the English words that they are."""

METHODS = methods.SAME_ARGUMENTS - {"put", "tolist"}
"""Array methods that the checker treats as calls of the function of that name."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def forbidden_words(vocabulary: Vocabulary) -> frozenset[str]:
    """Words, in lower case, that give the answer away."""
    ids = {function_id.rpartition(".")[2] for function_id in vocabulary.names}
    return frozenset(FORBIDDEN_WORDS | (ids - PLAIN_ENGLISH) | set(vocabulary.names.values()))


def statement_faults(problem: Problem, forbidden: frozenset[str]) -> Iterator[tuple[str, str]]:
    """`(rule, text)` for each fault of the statement, and for a record that is too large."""
    words = problem.statement.split()
    low, high = STATEMENT_WORDS
    if not low <= len(words) <= high:
        yield "statement", f"has {len(words)} words, expected {low} to {high}"
    found = sorted({word for word in _WORD.findall(problem.statement) if word.lower() in forbidden})
    if found:
        yield "statement", f"uses the words {', '.join(found)}"
    size = len(json.dumps(problems.to_record(problem)))
    if size > RECORD_LIMIT_BYTES:
        yield "size", f"the record has {size} bytes, expected at most {RECORD_LIMIT_BYTES}"


def form_faults(problem: Problem) -> Iterator[tuple[str, str]]:
    """`(rule, text)` for each way in which signature, solution, cases and functions do not fit each other."""
    try:
        definition = ast.parse(problem.signature.strip() + " pass").body[0]
        tree = ast.parse(problem.solution)
    except SyntaxError as error:
        yield "form", f"signature or solution is not Python ({error})"
        return
    if not isinstance(definition, ast.FunctionDef):
        yield "form", f"the signature is not that of a function: {problem.signature!r}"
        return
    parameters = [argument.arg for argument in definition.args.args]
    if any(list(case.arguments) != parameters for case in problem.cases):
        yield "form", f"the cases must pass {', '.join(parameters)}, in this order"
    if not any(isinstance(node, ast.FunctionDef) and node.name == definition.name for node in tree.body):
        yield "form", f"the solution does not define {definition.name}"
    yield from _function_faults(problem)


def _function_faults(problem: Problem) -> Iterator[tuple[str, str]]:
    unknown = [target for target in problem.functions if target not in load()]
    if unknown:
        yield "functions", f"not in the catalog: {', '.join(unknown)}"
    unused = [target for target in problem.functions if target not in used(problem.solution)]
    if unused:
        yield "functions", f"the solution does not use {', '.join(unused)}"
    if problem.kind == "single" and len(problem.functions) != 1:
        yield "functions", f"a single problem is about one function, this one about {len(problem.functions)}"
    if problem.kind == "multi" and len(set(problem.functions)) < MIN_COMPOSED:
        yield "functions", f"a multi problem composes at least {MIN_COMPOSED} functions"


def used(solution: str) -> set[str]:
    """Function ids that a solution spells out or calls as methods. Raises SyntaxError."""
    called = {node.func.attr for node in ast.walk(ast.parse(solution))
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}  # fmt: skip
    return names.function_paths(solution) | (called & METHODS)
