"""docs/adversarial.md: what each mechanism got on each sandbox in a real run."""

from __future__ import annotations

import platform
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from suite import LIMITS, LOOT, CountingPool, Program, by_mechanism, grade_alone, grade_interleaved

from sandbox.records import Verdict

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adversarial.md"
WORKERS = 2


@dataclass(frozen=True)
class Seen:
    """Both rounds over all programs on one sandbox."""

    sandbox: str
    described: str
    guests_started: int
    alone: Mapping[str, Verdict]
    interleaved: Mapping[str, Verdict]
    honest: Sequence[tuple[str, Verdict]]

    def faults(self, programs: Iterable[Program]) -> list[str]:
        """What must not be: wrong verdicts, loot, honest neighbours that fail, guests that end."""
        rounds = [(program, seen[program.name]) for program in programs for seen in (self.alone, self.interleaved)]
        found = [f"{program.name}: {v.outcome}, {v.detail[-200:]}" for program, v in rounds if not _right(program, v)]
        found += [f"beside another program: {name}: {v.outcome}" for name, v in self.honest if not v.passed]
        if self.guests_started > WORKERS:
            found.append(f"{self.guests_started} guests were started for {WORKERS} workers")
        return found


def run(sandbox: str, programs: list[Program]) -> Seen:
    """Grade all programs twice: one after another, and shuffled with honest neighbours."""
    with CountingPool(sandbox, workers=WORKERS, limits=LIMITS) as pool:
        pool.check()
        alone = grade_alone(pool, programs)
        interleaved, honest = grade_interleaved(pool, programs)
        versions = pool.provenance
    described = versions.get("bwrap") or f"image {versions['image']}"
    return Seen(sandbox, described, pool.started, alone, interleaved, honest)


def text(programs: list[Program], runs: Sequence[Seen]) -> str:
    """The page."""
    groups = by_mechanism(programs)
    heads = "".join(f" {seen.sandbox} |" for seen in runs)
    rows = [
        f"| {name.replace('_', ' ')} | {len(group)} |" + "".join(f" {_verdicts(group, seen)} |" for seen in runs)
        for name, group in groups.items()
    ]
    return _PAGE.format(
        programs=len(programs),
        mechanisms=len(groups),
        machine=f"{platform.system()} {platform.release().split('-')[0]} on {platform.machine()}, Python "
        f"{platform.python_version()}; {'; '.join(f'`{seen.sandbox}` {seen.described}' for seen in runs)}",
        changing=_changing(programs, runs),
        honest=sum(len(seen.honest) for seen in runs),
        head=f"| mechanism | programs |{heads}",
        rule=f"|---|---|{'---|' * len(runs)}",
        rows="\n".join(rows),
    )


def write(sandboxes: Sequence[str], programs: list[Program]) -> None:
    """Run everything and write the page. Exits with the faults, and writes nothing, if there are any."""
    runs = [run(sandbox, programs) for sandbox in sandboxes]
    faults = [f"{seen.sandbox}: {fault}" for seen in runs for fault in seen.faults(programs)]
    if faults:
        sys.exit("\n".join(faults))
    PAGE.write_text(text(programs, runs), encoding="utf-8")
    print(f"wrote {PAGE}: {len(programs)} programs, all verdicts right on {' and '.join(sandboxes)}")


def counts(page: str) -> dict[str, int]:
    """Programs by mechanism, as the page's table has them."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {cells[0].replace(" ", "_"): int(cells[1]) for cells in rows[1:]}


def verdicts(page: str) -> dict[str, list[set[str]]]:
    """The verdicts by mechanism, one set per sandbox."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {
        cells[0].replace(" ", "_"): [{part.partition(" ")[0] for part in cell.split(", ")} for cell in cells[2:]]
        for cells in rows[1:]
    }


def _right(program: Program, verdict: Verdict) -> bool:
    return verdict.outcome in program.expected and LOOT not in verdict.detail


def _verdicts(group: Iterable[Program], seen: Seen) -> str:
    outcomes = Counter(seen.alone[program.name].outcome.value for program in group)
    return ", ".join(f"{outcome} {count}" for outcome, count in sorted(outcomes.items()))


def _changing(programs: Iterable[Program], runs: Iterable[Seen]) -> str:
    """What came out differently in the second round, as a list."""
    changed = [
        f"- `{program.name}` on {seen.sandbox}: {one.outcome}, then {other.outcome}"
        for seen in runs
        for program in programs
        if (one := seen.alone[program.name]).outcome is not (other := seen.interleaved[program.name]).outcome
    ]
    return "\n".join(changed) or "None: both rounds gave the same verdicts."


_PAGE = """# Adversarial programs

{programs} programs over {mechanisms} mechanisms try to pass without solving their problem, to learn what they must not
know, to outlive their run or to disturb others. This table says which verdicts they got in a real run, and how many
programs got each. Which verdicts are right for a program stands in its header, in `tests/adversarial/programs`; the
tests hold bwrap and docker to it, and [the threat model](threat-model.md) says what is promised.

The programs under "honest" solve their problem and must pass. All others must not, with one exception: "kernel memory"
has an honest program that needs the memory which its neighbours try to take.

In the same run every program was graded once more, in shuffled order and with an honest solution after each: all
{honest} honest solutions passed, no program ended a guest, and none found anything that it must not find.

Written by `python tests/adversarial/suite.py --run --sandbox bwrap --sandbox docker`, which writes nothing if any
verdict is wrong. {machine}.

{head}
{rule}
{rows}

## Where timing decides

Programs that ran into another limit in the second round than in the first; both verdicts are right for them.

{changing}
"""
