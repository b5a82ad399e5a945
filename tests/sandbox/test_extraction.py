"""Extraction: the code that defines the entry point, however the response is dressed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extraction import extract_code

CODE = "import zwc\n\ndef f(x):\n    return zwc.kocito(x)\n"
FENCED = f"```python\n{CODE}```"

DRESSED = {
    "fence": FENCED,
    "capital tag": f"```Python\n{CODE}```",
    "short tag": f"```py\n{CODE}```",
    "no tag": f"```\n{CODE}```",
    "tildes": f"~~~python\n{CODE}~~~",
    "four backticks": f"````python\n{CODE}````",
    "windows": FENCED.replace("\n", "\r\n"),
    "unclosed": f"Here it is:\n```python\n{CODE}",
    "bare": CODE,
    "bare after prose": f"Sure, this does it.\n\n{CODE}",
    "bare before prose": f"{CODE}\nThis works because the library does it.",
    "indented": "1. Like this:\n   ```python\n" + CODE + "   ```",
    "after thinking": f"<think>```python\ndef f(x): return 1\n```</think>\n{FENCED}",
    "thinking without start": f"def f(x): return 1\n</think>\n{FENCED}",
    "text around": f"First.\n{FENCED}\nLast, call `f([1])`.",
    "usage block after": f"{FENCED}\n```python\nprint(f([1, 2]))\n```",
    "output block after": f"{FENCED}\n```text\n1.5\n```",
    "shell block before": f"```bash\npip install zwc\n```\n{FENCED}",
    "draft before": f"```python\ndef f(x):\n    return 0\n```\nBetter:\n{FENCED}",
}


@pytest.mark.parametrize("name", DRESSED)
def test_the_definition_is_found(name: str) -> None:
    code = extract_code(DRESSED[name], "f")
    assert code is not None
    namespace: dict[str, object] = {}
    exec(compile(code.replace("import zwc", ""), "code", "exec"), namespace)
    assert "zwc.kocito(x)" in code
    assert callable(namespace["f"])


def test_fence_inside_a_string_does_not_end_the_block() -> None:
    docstring = '"""Example:\n\n    ```python\n    f([1])\n    ```\n    """'
    inner = f"import zwc\n\ndef f(x):\n    {docstring}\n    return zwc.kocito(x)\n"
    assert extract_code(f"```python\n{inner}```\nDone.", "f") == inner


def test_helpers_in_an_earlier_block_are_kept_if_only_together_they_define() -> None:
    response = "```python\nimport zwc\n```\n```python\ndef f(x):\n    return zwc.kocito(x)\n```"
    code = extract_code(response, "f")
    assert code is not None
    assert "def f" in code


@pytest.mark.parametrize(
    "response", ["", "   \n", "I do not know this library.", "<think>def f(x): return 1", "```python\n```"]
)
def test_no_code(response: str) -> None:
    assert extract_code(response, "f") is None


def test_code_that_does_not_parse_is_still_the_answer() -> None:
    assert extract_code("```python\ndef f(x:\n    return 1\n```", "f") == "def f(x:\n    return 1\n"


@given(st.text(max_size=400), st.text(max_size=40))
def test_any_text_is_handled(response: str, entry_point: str) -> None:
    code = extract_code(response, entry_point)
    assert code is None or code.strip()


@given(
    st.lists(
        st.sampled_from(["```", "```python", "~~~", "def f(x):", "    return 1", "'''", "<think>", "</think>", "x"])
    )
)
def test_any_arrangement_of_fences_is_handled(lines: list[str]) -> None:
    extract_code("\n".join(lines), "f")
