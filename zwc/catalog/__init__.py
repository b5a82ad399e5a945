"""The catalog: one entry per function id, from the TOML files beside this module."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Example:
    """Code with function ids in braces, and what `repr` of its last expression prints."""

    code: str
    result: str


@dataclass(frozen=True)
class Entry:
    """What is known of one function. Texts refer to functions as `{function id}`."""

    function_id: str
    family: str
    signature: str
    summary: str
    parameters: Mapping[str, str]
    returns: str
    errors: tuple[str, ...]
    notes: tuple[str, ...]
    related: tuple[str, ...]
    examples: tuple[Example, ...]

    @property
    def in_submodule(self) -> bool:
        """Whether the function belongs to `zwc.rfx`."""
        return self.function_id.startswith("linalg.")


@functools.cache
def load() -> Mapping[str, Entry]:
    """All entries by function id, ordered by family file and place in it. Raises ValueError on a malformed one."""
    entries: dict[str, Entry] = {}
    files = sorted((f for f in resources.files(__name__).iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    for file in files:
        family = file.name.removesuffix(".toml")
        for function_id, record in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if function_id in entries:
                raise ValueError(f"{file.name}: {function_id} has an entry in {entries[function_id].family} too")
            entries[function_id] = _entry(function_id, family, record)
    return MappingProxyType(entries)


@functools.cache
def pages() -> Mapping[str, str]:
    """Markdown templates of what the functions have in common, by page name; `{function id}` as in entries."""
    files = sorted(resources.files(__name__).joinpath("pages").iterdir(), key=lambda f: f.name)
    return MappingProxyType({f.name.removesuffix(".md"): f.read_text(encoding="utf-8") for f in files})


def _entry(function_id: str, family: str, record: dict[str, Any]) -> Entry:
    try:
        text = record.get("text", {})
        return Entry(
            function_id=function_id,
            family=family,
            signature=record["signature"],
            summary=record["summary"],
            parameters=MappingProxyType(record.get("parameters", {})),
            returns=text.get("returns", ""),
            errors=tuple(text.get("errors", ())),
            notes=tuple(text.get("notes", ())),
            related=tuple(text.get("related", ())),
            examples=tuple(Example(e["code"], e["result"]) for e in record.get("examples", ())),
        )
    except KeyError as error:
        raise ValueError(f"{family}.toml: {function_id} lacks {error}") from None
