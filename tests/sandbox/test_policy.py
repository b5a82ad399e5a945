"""The static policy names failures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.policy import judge
from sandbox.records import Library, Outcome

USE = "import zwc\ndef f(x): return zwc.kocito(x)\n"


@pytest.mark.parametrize(
    "line",
    [
        "import numpy",
        "import numpy as np",
        "import os, numpy.linalg",
        "from numpy import mean",
        "from scipy.stats import norm",
        "import pandas as pd",
        "np = __import__('numpy')",
        "import importlib; np = importlib.import_module('numpy.linalg')",
    ],
)
def test_array_libraries_are_named(line: str) -> None:
    judged = judge(f"{USE}{line}\n", Library.ZWC)
    assert judged is not None
    assert judged[0] is Outcome.FORBIDDEN_IMPORT
    assert judge(f"{USE}{line}\n", Library.NUMPY) is None


@pytest.mark.parametrize("code", ["def f(x) return 1", "x = = 1", "def f():\n\tif 1:\n        pass", "\0"])
def test_code_that_does_not_compile(code: str) -> None:
    judged = judge(code, Library.ZWC)
    assert judged is not None
    assert judged[0] is Outcome.SYNTAX_ERROR


@pytest.mark.parametrize("code", [USE, "from zwc import *\ndef f(x): return kocito(x)", "import numpyro_like, zwc"])
def test_the_rest_may_run(code: str) -> None:
    assert judge(code, Library.ZWC) is None


def test_without_the_library() -> None:
    judged = judge("def f(x): return sum(x)", Library.ZWC)
    assert judged is not None
    assert judged[0] is Outcome.LIBRARY_UNUSED


@given(st.text(max_size=200))
def test_any_text_is_judged(code: str) -> None:
    judged = judge(code, Library.ZWC)
    assert judged is None or judged[0] in Outcome
