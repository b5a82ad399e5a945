"""The reference: the catalog in the names of one vocabulary, as Markdown, plain text, JSON lines or a compact list.

Examples read like an interactive session, so `doctest` can run every form but the compact one.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from zwc import catalog
from zwc._signature import Signature
from zwc.catalog import Entry, Example
from zwc.vocabulary import Vocabulary

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([\w.]+)\}")
_MARKUP = re.compile(r"(?<=\S)\*|\*(?=\S)|<(?=\w)")
_SHARED_KEYWORDS = "casting='same_kind', order='K', dtype=None)"
_SHARED_NAMES = ("out", "where", "casting", "order", "dtype")
_ELEMENT_WISE = f", /, out=None, *, where=True, {_SHARED_KEYWORDS}"
_KEYWORDS = """\
Keywords of the element-wise functions above:
- out: Array of the result's shape to write into; the result is the same data. For two results a tuple of two arrays.
- where: Bool mask; where False nothing is computed and out keeps what it holds.
- dtype: Type to compute in and to return.
- casting: Which conversions are allowed: 'no', 'equiv', 'safe', 'same_kind' or 'unsafe' (such as
  float to int, which cuts). What is not allowed raises TypeError.
- order: Memory layout of a new result; it never changes values.
"""

_COMPACT_HEAD = """\
Library zwc: one line per function. A default of ... means "not given"; **common stands for the keywords
out=None, where=True, casting='same_kind', order='K', dtype=None of element-wise functions."""


@dataclass(frozen=True)
class Record:
    """One function's documentation as data for training; every text is in pseudo-names."""

    name: str
    signature: str
    summary: str
    text: str
    examples: tuple[Mapping[str, str], ...]
    family: str


def render(form: str, function_ids: Iterable[str], vocabulary: Vocabulary) -> str:
    """The reference of some functions as "markdown", "text", "jsonl" or "compact".

    A selection that is the whole library is ordered by family and, as Markdown or text, begins with the general pages.
    Raises KeyError on an unknown form or function.
    """
    selected = list(dict.fromkeys(function_ids))
    whole = len(selected) == len(catalog.load())
    if whole:
        selected = ordered(vocabulary)
    if whole and form in ("markdown", "text"):
        return "\n".join([*general_pages(vocabulary).values(), _FORMS[form](selected, vocabulary)])
    return excerpt(selected, vocabulary) if form == "text" else _FORMS[form](selected, vocabulary)


def excerpt(function_ids: Iterable[str], vocabulary: Vocabulary) -> str:
    """Plain text that needs no other page: entries, then the keywords that element-wise functions share, if any."""
    selected = list(function_ids)
    shared = [_KEYWORDS] if any(_SHARED_KEYWORDS in _entry(i).signature for i in selected) else []
    return "\n".join([render_text(selected, vocabulary), *shared])


def render_text(function_ids: Iterable[str], vocabulary: Vocabulary) -> str:
    """Plain text: the entries of some functions alone, separated by blank lines."""
    return "\n".join(f"{_text(_entry(i), vocabulary)}\n" for i in function_ids)


def render_markdown(function_ids: Iterable[str], vocabulary: Vocabulary) -> str:
    """Markdown, one section per function."""
    return "\n".join(f"{_markdown(_entry(i), vocabulary)}\n" for i in function_ids)


def render_jsonl(function_ids: Iterable[str], vocabulary: Vocabulary) -> str:
    """One JSON record a line, in the given order."""
    return "".join(f"{json.dumps(asdict(record))}\n" for record in records(function_ids, vocabulary))


def render_compact(function_ids: Iterable[str], vocabulary: Vocabulary) -> str:
    """Signature and summary of each function, one a line, after two lines that explain the notation."""
    lines = [_COMPACT_HEAD, *(_compact(_entry(i), vocabulary) for i in function_ids)]
    return "\n".join(lines) + "\n"


def records(function_ids: Iterable[str], vocabulary: Vocabulary) -> list[Record]:
    """The documentation of some functions as data, in the given order."""
    return [_record(_entry(i), vocabulary) for i in function_ids]


def markdown_files(vocabulary: Vocabulary) -> dict[str, str]:
    """Markdown pages by path: the general ones, a folder per family with a page per function, and indexes of both."""
    files = {f"{name}.md": text for name, text in general_pages(vocabulary).items()}
    index = ["# Reference of zwc\n", *(f"- [{_title(text)}]({name})" for name, text in files.items())]
    for family, entries in _families(vocabulary).items():
        title = family.replace("_", " ").capitalize()
        index += [f"\n## {title}\n", *(_index_line(entry, vocabulary) for entry in entries)]
        files[f"{family}/index.md"] = _family_page(title, entries, vocabulary)
        files |= {_path(e.function_id, vocabulary): f"{_markdown(e, vocabulary, linked=True)}\n" for e in entries}
    return {"index.md": "\n".join(index) + "\n", **files}


def general_pages(vocabulary: Vocabulary) -> dict[str, str]:
    """Markdown pages on what the functions have in common, by page name."""
    return {name: _named(template, vocabulary) for name, template in catalog.pages().items()}


def help_text(wire_name: str, vocabulary: Vocabulary) -> str:
    """What `help` shows for a function, named as the kernel knows it: `kocito`, `rfx.quvohe`.

    Raises KeyError if there is no such function.
    """
    return excerpt([vocabulary.functions[wire_name.rpartition(".")[2]]], vocabulary).rstrip("\n")


def ordered(vocabulary: Vocabulary) -> list[str]:
    """All function ids by family, and by pseudo-name within one."""
    entries = catalog.load()
    return sorted(entries, key=lambda i: (entries[i].family, vocabulary.wire_name(i)))


def _families(vocabulary: Vocabulary) -> dict[str, list[Entry]]:
    entries = [_entry(function_id) for function_id in ordered(vocabulary)]
    return {family: list(members) for family, members in itertools.groupby(entries, key=lambda entry: entry.family)}


def _entry(function_id: str) -> Entry:
    return catalog.load()[function_id]


def _named(template: str, vocabulary: Vocabulary, show: Callable[[str], str] | None = None) -> str:
    """Put pseudo-names, or what `show` makes of a function id, for `{function id}`; single braces for doubled ones."""
    shown = show or vocabulary.qualified

    def name(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else shown(match[1])

    return _PLACEHOLDER.sub(name, template)


def _path(function_id: str, vocabulary: Vocabulary) -> str:
    """Where a function's page lies among the Markdown files."""
    return f"{_entry(function_id).family}/{vocabulary.wire_name(function_id)}.md"


def _link(function_id: str, vocabulary: Vocabulary) -> str:
    """A link from one function's page to another's."""
    return f"[`{vocabulary.qualified(function_id)}`](../{_path(function_id, vocabulary)})"


def _index_line(entry: Entry, vocabulary: Vocabulary) -> str:
    name, path = vocabulary.qualified(entry.function_id), _path(entry.function_id, vocabulary)
    return f"- [`{name}`]({path}): {_named(_escaped(entry.summary), vocabulary)}"


def _family_page(title: str, entries: list[Entry], vocabulary: Vocabulary) -> str:
    """Calls and summaries of a family, one function an item."""
    items = [_family_line(entry, vocabulary) for entry in entries]
    note = "`**common` stands for the [keywords of element-wise functions](../keywords.md#element-wise-functions).\n"
    return "\n".join([f"# {title}\n", *([note] if "**common" in "".join(items) else []), *items]) + "\n"


def _family_line(entry: Entry, vocabulary: Vocabulary) -> str:
    page = f"{vocabulary.wire_name(entry.function_id)}.md"
    return f"- [`{_short_call(entry, vocabulary)}`]({page})  \n  {_named(_escaped(entry.summary), vocabulary)}"


def _escaped(template: str) -> str:
    """Keep `2*x` and `<U5` from being read as emphasis and HTML."""
    return _MARKUP.sub(r"\\\g<0>", template)


def _title(page: str) -> str:
    return page.partition("\n")[0].lstrip("# ")


def _call(entry: Entry, vocabulary: Vocabulary) -> str:
    return vocabulary.qualified(entry.function_id) + entry.signature


def _short_call(entry: Entry, vocabulary: Vocabulary) -> str:
    return _call(entry, vocabulary).replace(_ELEMENT_WISE, ", /, **common)")


def _compact(entry: Entry, vocabulary: Vocabulary) -> str:
    return f"{_short_call(entry, vocabulary)}: {_named(entry.summary, vocabulary)}"


def _text(entry: Entry, vocabulary: Vocabulary) -> str:
    details = [f"- {name}: {text}" for name, text in _parameters(entry)]
    details += [f"{title}: {text}" for title, text in _sections(entry, vocabulary)]
    sessions = [_session(example, vocabulary) for example in entry.examples]
    return "\n".join([_call(entry, vocabulary), *_all_named([entry.summary, *details], vocabulary), *sessions])


def _markdown(entry: Entry, vocabulary: Vocabulary, linked: bool = False) -> str:
    """One function's section, or with `linked` its page: other functions are links."""
    show = (lambda function_id: _link(function_id, vocabulary)) if linked else None
    details = [f"- `{name}`: {_escaped(text)}" for name, text in _parameters(entry)]
    details += _keywords_link(entry) if linked else []
    details += [f"\n**{title}**: {_escaped(text)}" for title, text in _sections(entry, vocabulary, show)]
    head = [f"# {vocabulary.qualified(entry.function_id)}", "", f"`{_call(entry, vocabulary)}`", ""]
    body = _all_named([_escaped(entry.summary), "", *details, ""], vocabulary, show)
    sessions = "\n\n".join(_session(example, vocabulary) for example in entry.examples)
    return "\n".join([*head, *body, f"```pycon\n{sessions}\n```"])


def _keywords_link(entry: Entry) -> list[str]:
    """Where a page says what the shared keywords mean that its own text leaves out."""
    if _SHARED_KEYWORDS not in entry.signature:
        return []
    names = [n for n in Signature(entry.signature).names if n in _SHARED_NAMES and n not in entry.parameters]
    return [f"- `{', '.join(names)}`: [as in element-wise functions](../keywords.md#element-wise-functions)."]


def _record(entry: Entry, vocabulary: Vocabulary) -> Record:
    return Record(
        name=vocabulary.qualified(entry.function_id),
        signature=_call(entry, vocabulary),
        summary=_named(entry.summary, vocabulary),
        text=_text(entry, vocabulary),
        examples=tuple({"code": _named(e.code, vocabulary).strip(), "result": e.result} for e in entry.examples),
        family=entry.family,
    )


def _all_named(lines: list[str], vocabulary: Vocabulary, show: Callable[[str], str] | None = None) -> list[str]:
    return [_named(line, vocabulary, show) for line in lines]


def _parameters(entry: Entry) -> list[tuple[str, str]]:
    """Names with their text; a parameter that says "See x." joins x."""
    grouped: dict[str, list[str]] = {}
    for name, text in entry.parameters.items():
        first = text.removeprefix("See ").removesuffix(".")
        grouped.setdefault(first if first in grouped else name, []).append(name)
    return [(", ".join(names), entry.parameters[first]) for first, names in grouped.items()]


def _sections(entry: Entry, vocabulary: Vocabulary, show: Callable[[str], str] | None = None) -> list[tuple[str, str]]:
    mentioned = " ".join([entry.summary, entry.returns, *entry.notes])
    related = ", ".join((show or vocabulary.wire_name)(i) for i in entry.related if f"{{{i}}}" not in mentioned)
    sections = [
        ("Returns", entry.returns),
        ("Raises", " ".join(entry.errors)),
        ("Notes", " ".join(entry.notes)),
        ("See also", related),
    ]
    return [(title, text) for title, text in sections if text]


def _session(example: Example, vocabulary: Vocabulary) -> str:
    """The example as an interactive session: `>>>` before each statement, `...` before its further lines."""
    code = _named(example.code, vocabulary).strip()
    starts = {statement.lineno for statement in ast.parse(code).body}
    lines = code.split("\n")
    prompted = [f"{'>>>' if number in starts else '...'} {line}" for number, line in enumerate(lines, start=1)]
    return "\n".join([*prompted, example.result])


_FORMS: dict[str, Callable[[Iterable[str], Vocabulary], str]] = {
    "markdown": render_markdown,
    "text": render_text,
    "jsonl": render_jsonl,
    "compact": render_compact,
}
