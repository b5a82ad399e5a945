"""Extraction: any text gives code or None, and the code is there to be seen.

python -m tests.fuzz extraction -max_total_time=300
"""

from __future__ import annotations

from sandbox.extraction import extract_code

SEEDS = (
    b"Sure.\n```python\nimport zwc\ndef f(x):\n    return zwc.kocito(x)\n```\nDone.",
    b"<think>```py\nf = 1\n```</think>\r\n~~~\nclass f:\n    '''\n    ~~~\n    '''\n~~~",
    b"import zwc\n@g\nasync def f(x): pass\nThis works.",
    b"1. Like this:\n   ````Python\n   f: int = 1\n   ```",
)


def check(data: bytes) -> None:
    """`data`: a response, as UTF-8 with surrogates for what is none."""
    code = extract_code(data.decode("utf-8", "surrogateescape"), "f")
    assert code is None or code.strip()
