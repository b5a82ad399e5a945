"""Rules about problems that repeat each other.

Statements are compared by the Jaccard measure over runs of three words (lower case, without numbers and punctuation);
statements of single problems about the same function also by the words that carry a scenario. Solutions are compared
as syntax trees in which variables and functions have neutral names.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from sebench_tasks.checking.faults import Fault
from sebench_tasks.problems import Problem
from sebench_tasks.translation import names

STATEMENT_LIMIT = 0.2
"""Share of common runs of three words from which on two statements are near-duplicates."""

SCENARIO_LIMIT = 0.25
"""Share of common scenario words from which on two single problems about one function tell the same story."""

_RUN = 3
_WORD = re.compile(r"[a-z]+")
_SCENARIO_WORD_LETTERS = 4
_COMMON_WORDS = frozenset(
    """
    also always another apart argument before below between both case cases contains each element elements empty equal
    every exactly expected float floats from given gives hold holds inner integer integers into keep least length list
    lists long lower more most name negative nested none number numbers once only order other pair pairs plain position
    positive present result return returned returns round rounded same second several single some such table than that
    their them then there these they this those three times together total true false two upper value values when where
    whether which while whole with within without zero
    """.split()
)
"""Words of the task form, not of a scenario."""


@dataclass(frozen=True)
class _Pair:
    one: Problem
    other: Problem
    share: float


def duplicate_faults(checked: Sequence[Problem], others: Sequence[Problem] = ()) -> list[Fault]:
    """Faults of the checked problems, each against all checked and all other ones."""
    everything = [*checked, *others]
    faults = [*_statement_faults(everything, len(checked)), *_scenario_faults(everything, len(checked))]
    return faults + list(_solution_faults(everything, len(checked)))


def _statement_faults(everything: Sequence[Problem], checked: int) -> Iterator[Fault]:
    for pair in _similar([_runs(problem.statement) for problem in everything], everything, checked, STATEMENT_LIMIT):
        text = f"{pair.share:.0%} of the word runs are those of {pair.other.id}, expected under {STATEMENT_LIMIT:.0%}"
        yield Fault(pair.one.id, "duplicate", text)


def _scenario_faults(everything: Sequence[Problem], checked: int) -> Iterator[Fault]:
    by_function: dict[str, list[tuple[int, Problem]]] = defaultdict(list)
    for index, problem in enumerate(everything):
        if problem.kind == "single":
            by_function[problem.functions[0]].append((index, problem))
    for function_id, group in by_function.items():
        mine = sum(index < checked for index, _ in group)
        members = [problem for _, problem in group]
        words = [_scenario(problem.statement) for problem in members]
        for pair in _similar(words, members, mine, SCENARIO_LIMIT):
            text = f"{pair.share:.0%} of the scenario words are those of {pair.other.id}, also about {function_id}"
            yield Fault(pair.one.id, "duplicate", f"{text}, expected under {SCENARIO_LIMIT:.0%}")


def _solution_faults(everything: Sequence[Problem], checked: int) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for problem in everything[checked:]:
        for form in _forms(problem):
            seen.setdefault(form, problem.id)
    for problem in everything[:checked]:
        for form in _forms(problem):
            if form in seen:
                yield Fault(problem.id, "duplicate", f"the solution is that of {seen[form]} under other names")
            seen.setdefault(form, problem.id)


def _forms(problem: Problem) -> list[str]:
    try:
        return [normal_form(problem.solution)]
    except SyntaxError:
        return []


def _similar(
    features: Sequence[frozenset[Hashable]], members: Sequence[Problem], checked: int, limit: float
) -> Iterator[_Pair]:
    """Pairs with a Jaccard share of at least `limit`; the first of each is checked and comes after the other."""
    holders: dict[Hashable, list[int]] = defaultdict(list)
    for index, found in enumerate(features):
        for feature in found:
            holders[feature].append(index)
    for index in range(checked):
        common = Counter(other for feature in features[index] for other in holders[feature])
        for other, count in common.items():
            share = count / (len(features[index]) + len(features[other]) - count)
            if share >= limit and (other < index or other >= checked):
                yield _Pair(members[index], members[other], share)


def _words(statement: str) -> list[str]:
    return _WORD.findall(statement.lower())


def _runs(statement: str) -> frozenset[Hashable]:
    words = _words(statement)
    return frozenset(zip(*(words[start:] for start in range(_RUN)), strict=False))


def _scenario(statement: str) -> frozenset[Hashable]:
    return frozenset(
        word for word in _words(statement) if len(word) >= _SCENARIO_WORD_LETTERS and word not in _COMMON_WORDS
    )


def normal_form(solution: str) -> str:
    """Text of a solution with neutral names: equal texts mean the same program. Raises SyntaxError."""
    tree = ast.parse(solution)
    return ast.dump(_Neutral(names.bindings(tree), _own_names(tree)).visit(tree))


def _own_names(tree: ast.Module) -> dict[str, str]:
    """Names that the solution gives itself, in the order of the text, with neutral ones."""
    found = (name for node in _in_order(tree) for name in _given_names(node))
    return {name: f"v{number}" for number, name in enumerate(dict.fromkeys(found))}


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def _given_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


class _Neutral(ast.NodeTransformer):
    def __init__(self, bound: dict[str, str], own: dict[str, str]) -> None:
        self._bound = bound
        self._own = own

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._own[node.name]
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(arg=self._own[node.arg])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        path = names.path_of(node, self._bound)
        if path:
            return ast.Name(id=f"np.{path}", ctx=node.ctx)
        return ast.Name(id=self._own.get(node.id, node.id), ctx=node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        path = names.path_of(node, self._bound)
        return ast.Name(id=f"np.{path}", ctx=node.ctx) if path else self.generic_visit(node)
