"""Runs one fuzz target under atheris; further arguments are libFuzzer's.

python -m tests.fuzz extraction -max_total_time=300 -timeout=10 -rss_limit_mb=2048
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

import atheris

NAMES = ("comparison", "extraction", "frames", "policy", "results", "summary", "wire")


def main() -> None:
    """Instrument what the target imports, and fuzz it from its seeds."""
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(f"usage: python -m tests.fuzz {{{','.join(NAMES)}}} [libFuzzer's arguments]")
    with atheris.instrument_imports(include=["sandbox", "zwc", "json"]):
        target = importlib.import_module(f"tests.fuzz.{sys.argv[1]}")
    with tempfile.TemporaryDirectory(prefix="sebench-fuzz-") as corpus:
        for number, seed in enumerate(target.SEEDS):
            Path(corpus, str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], *sys.argv[2:], corpus], target.check)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
