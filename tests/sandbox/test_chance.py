"""Chance: only code without any source of it may do with one look."""

from __future__ import annotations

import pytest

from sandbox import chance

WITHOUT = [
    "import zwc\ndef f(x): return zwc.kocito(x)",
    "from zwc import *\nimport zwc.rfx as r\ndef f(x): return r.quvohe(kocito(x))",
    "import math, zwc\nfrom functools import reduce\ndef f(x): return math.sqrt(reduce(max, zwc.kocito(x)))",
    "import zwc\nclass A:\n    def g(self, x): return [sum(y) for y in x]\ndef f(x): return A().g(x)",
]
WITH = [
    "import random",
    "import time, zwc",
    "from os import urandom",
    "import zwc\nt = __import__('time')",
    "import typing\ns = typing.sys",
    "from typing import sys",
    "import math\ng = getattr(math, 'x')",
    "def g(): yield\nb = g().gi_frame",
    "f.__globals__",
    "x = ().__class__",
    "try:\n    1 / 0\nexcept Exception as e:\n    t = e.tb_frame",
    "import typing\nmatch typing:\n    case object(sys=s): pass",
    "exec('import time')",
    "import operator",
    "import zwc._client",
    "from zwc import _client",
    "__builtins__",
    "print(id(object()))",
]


@pytest.mark.parametrize("code", WITHOUT)
def test_none(code: str) -> None:
    assert not chance.possible(code)


@pytest.mark.parametrize("code", WITH)
def test_possible(code: str) -> None:
    assert chance.possible(code)
