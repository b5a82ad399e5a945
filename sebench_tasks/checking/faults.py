"""What the checker finds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One rule that one problem breaks."""

    problem_id: str
    rule: str
    text: str
