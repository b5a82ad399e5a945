"""From a response to the code in it that defines the entry point."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from sandbox import parsing

# Possessive throughout: a long line that is no fence after all must not cost the square of its length.
_FENCE = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)[ \t]*+([\w+.#-]*+)[^\n`]*+$", re.MULTILINE)
_THINK_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINK_START = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_LANGUAGES = frozenset(("", "py", "python", "python3", "py3", "ipython"))
_MOST_PARSED = 1_000_000
_MOST_FENCES = 2_000


class _Parser:
    """Parses what may be code, up to so many characters in all: a response must not keep the host busy."""

    def __init__(self) -> None:
        self._left = _MOST_PARSED
        self._known: dict[str, ast.Module | None] = {}

    def parse(self, code: str) -> ast.Module | None:
        """The module, or None for what is no Python or came too late."""
        if code not in self._known:
            self._left -= len(code)
            self._known[code] = _parse(code) if self._left >= 0 else None
        return self._known[code]


def extract_code(response: str, entry_point: str) -> str | None:
    """The code of `response` that defines `entry_point`; None if there is no code.

    Reasoning is removed first, also when unfinished. Of several blocks the last that parses and defines the entry
    point wins; without one, the last that mentions its definition, then the last block of all. Bare code counts.
    """
    text = _without_reasoning(response.replace("\r\n", "\n").replace("\r", "\n"))
    parser = _Parser()
    blocks = [code for language, code in _blocks(text, parser) if language.lower() in _LANGUAGES]
    candidates = blocks or _bare(text, entry_point, parser)
    defining = [code for code in candidates if _defines(code, entry_point, parser)]
    if defining:
        return defining[-1]
    joined = "\n".join(candidates)
    if len(candidates) > 1 and _defines(joined, entry_point, parser):
        return joined
    mentioning = [code for code in candidates if re.search(rf"\b{re.escape(entry_point)}\b", code)]
    chosen = next(reversed(mentioning or candidates), "")
    return chosen if chosen.strip() else None


def _without_reasoning(text: str) -> str:
    ends = list(_THINK_END.finditer(text))
    if ends:
        text = text[ends[-1].end() :]
    start = _THINK_START.search(text)
    return text[: start.start()] if start else text


def _blocks(text: str, parser: _Parser) -> Iterator[tuple[str, str]]:
    """Language and content of each fenced block. A fence inside a block's own string does not end it."""
    fences = list(itertools.islice(_FENCE.finditer(text), _MOST_FENCES))
    position = 0
    for number, opening in enumerate(fences):
        if opening.start() < position:
            continue
        marker, language = opening[1], opening[2]
        start = opening.end() + 1
        closings = [m for m in fences[number + 1 :] if _closes(m, marker)]
        end, position = _best_end(text, start, closings, parser)
        yield language, text[start:end]


def _closes(match: re.Match[str], marker: str) -> bool:
    return match[1][0] == marker[0] and len(match[1]) >= len(marker) and not match[2]


def _best_end(text: str, start: int, closings: list[re.Match[str]], parser: _Parser) -> tuple[int, int]:
    """End of the block and where to go on: the first closing fence that leaves code that parses, else the first."""
    for closing in closings[:20]:
        if parser.parse(text[start : closing.start()]) is not None:
            return closing.start(), closing.end()
    if closings:
        return closings[0].start(), closings[0].end()
    return len(text), len(text)


def _bare(text: str, entry_point: str, parser: _Parser) -> list[str]:
    """Unfenced code: the whole text, or its longest stretch from the first code line that parses."""
    if not re.search(
        rf"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{re.escape(entry_point)}\b|^{re.escape(entry_point)}[ \t]*=",
        text,
        re.M,
    ):
        return []
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if re.match(r"(?:import|from|def|class|async|@)\b|@", line)]
    for start in starts[:20]:
        for end in range(len(lines), start, -1):
            code = "\n".join(lines[start:end])
            if _defines(code, entry_point, parser):
                return [code]
            if len(lines) - end > 60:
                break
    return ["\n".join(lines[starts[0] :])] if starts else []


def _parse(code: str) -> ast.Module | None:
    try:
        return parsing.parse(code)
    except parsing.REASONS:
        return None


def _defines(code: str, entry_point: str, parser: _Parser) -> bool:
    module = parser.parse(code)
    if module is None:
        return False
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == entry_point:
            return True
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name) and t.id == entry_point for t in targets):
                return True
        if isinstance(node, ast.ImportFrom) and any((a.asname or a.name) == entry_point for a in node.names):
            return True
    return False
