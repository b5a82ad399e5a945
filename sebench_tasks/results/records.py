"""One task's results on one checkpoint, whichever program wrote them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

PASSED = "passed"


@dataclass(frozen=True)
class Attempt:
    """One graded response. Functions are function ids."""

    verdict: str
    functions_called: tuple[str, ...] = ()
    targets_called: tuple[str, ...] = ()
    detail: str = ""
    code: str = ""
    response: str = ""

    @property
    def passed(self) -> bool:
        """Whether it solves the problem."""
        return self.verdict == PASSED


@dataclass(frozen=True)
class Setting:
    """What two results must have in common to be compared."""

    problem_set_hash: str
    vocabulary_fingerprint: str
    condition: str
    prompt_version: str
    task_version: str

    def differences(self, other: "Setting") -> list[str]:
        """What differs, for people."""
        names = {name: name.replace("_", " ") for name in self.__dataclass_fields__}
        return [
            f"{text} {getattr(self, name)} against {getattr(other, name)}"
            for name, text in names.items()
            if getattr(self, name) != getattr(other, name)
        ]


@dataclass(frozen=True)
class Result:
    """Graded responses by problem, and why they may not be all.

    `kind` is `single`, `multi`, or what else the problems were called; `functions` are those that each problem is
    about, as far as the files say; `faults` is empty for a complete run.
    """

    source: str
    harness: str
    checkpoint: str
    kind: str
    setting: Setting
    problem_count: int
    attempts: Mapping[str, Sequence[Attempt]]
    functions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`single`, or `single/open` under another condition than closed."""
        return self.kind if self.setting.condition == "closed" else f"{self.kind}/{self.setting.condition}"

    @cached_property
    def rates(self) -> dict[str, float]:
        """The share of passing attempts of each problem."""
        return {key: sum(a.passed for a in found) / len(found) for key, found in self.attempts.items() if found}


def kind_of(problems: str) -> str:
    """`single` or `multi` of a problem source such as `single_test@mean`, else the source as it is."""
    bare = problems.rpartition("@")[0] or problems
    first = bare.removeprefix("official_").partition("_")[0]
    return first if first in ("single", "multi") else problems


def faults_of(problem_count: int, attempts: Mapping[str, Sequence[Attempt]], samples: int | None) -> list[str]:
    """Why attempts are not those of a complete run.

    Args:
        problem_count: problems in the set.
        attempts: graded responses by problem.
        samples: responses for each problem; None takes the most that any problem has.
    """
    found = []
    if len(attempts) < problem_count:
        found.append(f"{len(attempts)} of {problem_count} problems were graded")
    expected = samples or max(map(len, attempts.values()), default=1)
    short = [key for key, given in attempts.items() if len(given) < expected]
    if short:
        found.append(
            f"{len(short)} problems lack graded responses ({short[0]} has {len(attempts[short[0]])} of {expected})"
        )
    return found
