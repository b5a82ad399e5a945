"""The checker: what every problem must satisfy before it may ask anything of a model.

The rules are in `sebench_tasks.checking`. `inspect_text` needs nothing but the records, `inspect_runs` runs the
solution, its mutants and perturbed runs with NumPy, and `inspect_sandbox` grades three responses in a sandbox.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sebench_tasks.checking import cases, duplicates, gradings, probes, solutions, stability, targets, texts
from sebench_tasks.checking.faults import Fault
from sebench_tasks.problems import Problem

if TYPE_CHECKING:
    from sandbox.pool import Pool
    from zwc.vocabulary import Vocabulary


def inspect(
    records: Sequence[Problem],
    vocabulary: "Vocabulary",
    pool: "Pool | None" = None,
    *,
    others: Sequence[Problem] = (),
) -> list[Fault]:
    """All faults of all problems, by id.

    Args:
        records: the problems to check, with expected values.
        vocabulary: its pseudo-names may not be in any statement.
        pool: grade in it, for the faults that only grading shows.
        others: problems that the checked ones must not repeat.

    Raises:
        BuildError: a process that runs solutions died.
        SandboxError: the sandbox failed.
    """
    faults = inspect_text(records, vocabulary, others)
    unreadable = {fault.problem_id for fault in faults if fault.rule == "form"}
    faults += inspect_runs([problem for problem in records if problem.id not in unreadable])
    if pool is not None:
        faults += gradings.grading_faults(records, vocabulary, pool)
    return sorted(faults, key=lambda fault: (fault.problem_id, fault.rule))


def inspect_text(records: Sequence[Problem], vocabulary: "Vocabulary", others: Sequence[Problem] = ()) -> list[Fault]:
    """Faults that the records themselves show: ids, statement, signature, cases, functions, duplicates."""
    repeated = Counter(problem.id for problem in [*records, *others])
    faults = [Fault(key, "id", "is not unique") for key in {p.id for p in records} if repeated[key] > 1]
    forbidden = texts.forbidden_words(vocabulary)
    for problem in records:
        found = [*texts.statement_faults(problem, forbidden), *texts.form_faults(problem), *cases.case_faults(problem)]
        faults += [Fault(problem.id, *fault) for fault in found]
    return faults + duplicates.duplicate_faults(records, others)


def inspect_runs(records: Sequence[Problem]) -> list[Fault]:
    """Faults that running with NumPy shows; problems whose solution fails are not probed further."""
    faults = solutions.solution_faults(records)
    failing = {fault.problem_id for fault in faults if fault.rule == "solution"}
    return faults + _probe_faults([problem for problem in records if problem.id not in failing])


def _probe_faults(records: Sequence[Problem]) -> list[Fault]:
    asked = [(problem, targets.questions(problem), stability.questions(problem)) for problem in records]
    answers = probes.run(
        [
            (problem, [*(probe for *_, probe in about), *(probe for _, probe in steady)])
            for problem, about, steady in asked
        ]
    )
    faults: list[Fault] = []
    for (problem, about, steady), findings in zip(asked, answers, strict=True):
        faults += targets.faults(problem, about, findings[: len(about)])
        faults += stability.faults(problem, steady, findings[len(about) :])
    return faults
