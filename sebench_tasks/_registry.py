"""What `inspect` finds under `sebench_tasks/`: its entry point imports this module."""

from sebench_tasks.inspect_scorers import verdict, verdict_rates
from sebench_tasks.inspect_solvers import oracle
from sebench_tasks.multi import sebench_multi
from sebench_tasks.official_tasks import sebench_official_multi, sebench_official_single
from sebench_tasks.single import sebench_single

__all__ = [
    "oracle",
    "sebench_multi",
    "sebench_official_multi",
    "sebench_official_single",
    "sebench_single",
    "verdict",
    "verdict_rates",
]
