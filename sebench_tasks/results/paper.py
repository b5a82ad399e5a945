"""What the SE-Bench paper reports (arXiv 2602.04811), for tables that put it beside other results.

Qwen3-8B, mean accuracy over the official problems in the closed condition. Other problems, prompts and models: the rows
show an order of magnitude, they are no baseline.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperRow:
    """A training method and its accuracies on single and multi problems, from 0 to 1."""

    method: str
    single: float
    multi: float


MODEL = "Qwen3-8B"
ROWS = (
    PaperRow("zero-shot", 0.0, 0.0),
    PaperRow("Open-SFT", 0.0, 0.0),
    PaperRow("Closed-SFT", 0.396, 0.116),
    PaperRow("Open-RL", 0.0, 0.0),
    PaperRow("Closed-RL", 0.0, 0.0),
    PaperRow("Absolute-Zero", 0.0, 0.0),
    PaperRow("Closed-SFT, then RL", 0.544, 0.179),
)
