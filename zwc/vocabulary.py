"""Vocabularies: one-to-one maps from function ids to pseudo-names."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

_CONSONANTS = "bcdfghjklmnpqrstvwxyz"
_VOWELS = "aeiou"
_LENGTHS = (5, 6, 7)
_FORM = re.compile(f"(?:[{_CONSONANTS}][{_VOWELS}]){{2,3}}[{_CONSONANTS}]?")
_SEED = re.compile("[0-9]{1,18}")
IMPORTED_FILE = "vocabulary.json"


class VocabularyError(ValueError):
    """A vocabulary cannot be read or is not one-to-one."""


@dataclass(frozen=True)
class Vocabulary:
    """Pseudo-names by function id. `label` says where it came from, such as "seed:7"."""

    names: Mapping[str, str]
    label: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", MappingProxyType(dict(sorted(self.names.items()))))
        if len(set(self.names.values())) != len(self.names):
            raise VocabularyError(f"vocabulary {self.label}: two functions share a pseudo-name")

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @functools.cached_property
    def functions(self) -> Mapping[str, str]:
        """Function ids by pseudo-name."""
        return {name: function_id for function_id, name in self.names.items()}

    @functools.cached_property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that identify the map itself."""
        return hashlib.sha256(_canonical(self.names)).hexdigest()[:12]

    def wire_name(self, function_id: str) -> str:
        """Pseudo-name as the kernel knows it: `kocito`, `rfx.quvohe`. Raises KeyError on an unknown function."""
        name = self.names[function_id]
        return f"rfx.{name}" if function_id.startswith("linalg.") else name

    def qualified(self, function_id: str) -> str:
        """Name to write in code: `zwc.kocito`, `zwc.rfx.quvohe`. Raises KeyError on an unknown function."""
        return f"zwc.{self.wire_name(function_id)}"

    def save(self, path: Path) -> None:
        """Write the vocabulary as JSON."""
        record = {"label": self.label, "fingerprint": self.fingerprint, "names": dict(self.names)}
        path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read what `save` wrote. Raises VocabularyError with the reason if it is malformed or was edited."""
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            names, label, fingerprint = dict(record["names"]), str(record["label"]), record["fingerprint"]
        except KeyError as error:
            raise VocabularyError(f"{path}: not a vocabulary file (no {error})") from error
        except (OSError, ValueError, TypeError) as error:
            raise VocabularyError(f"{path}: not a vocabulary file ({error})") from error
        _check(names, str(path))
        vocabulary = cls(names, label)
        if fingerprint != vocabulary.fingerprint:
            raise VocabularyError(
                f"{path}: the names were changed: their fingerprint is {vocabulary.fingerprint}, not {fingerprint!r}"
            )
        return vocabulary

    @classmethod
    @functools.cache
    def default(cls) -> Vocabulary:
        """The vocabulary of the benchmark; it never changes."""
        text = resources.files("zwc").joinpath("data/default_vocabulary.json").read_text(encoding="utf-8")
        return cls(json.loads(text)["names"], "default")

    @classmethod
    @functools.lru_cache(maxsize=256)
    def from_seed(cls, seed: int) -> Vocabulary:
        """A new vocabulary: the same for the same seed on every machine and Python version."""
        from zwc import catalog

        return cls(_assign(sorted(catalog.load()), f"{seed}", {}), f"seed:{seed}")

    @classmethod
    def from_official(cls, path: Path) -> Vocabulary:
        """The vocabulary of an official API file (JSONL). Raises VocabularyError with the line number."""
        names: dict[str, str] = {}
        for number, record in enumerate(_json_lines(path), start=1):
            try:
                function_id = _official_function(record["original_name"], record["curr_name"], record["func_mapping"])
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise VocabularyError(f"{path}:{number}: not an entry of the official API file ({error})") from error
            if function_id in names:
                raise VocabularyError(f"{path}:{number}: a second entry for {function_id}")
            names[function_id] = record["curr_name"]
        _check(names, str(path))
        return cls(names, "official")

    @classmethod
    def imported(cls) -> Vocabulary:
        """The official vocabulary in the folder of imported data. Raises VocabularyError if nothing is imported."""
        path = official_folder() / IMPORTED_FILE
        if not path.is_file():
            raise VocabularyError(f"no official vocabulary at {path}; run `sebench official import` first")
        return cls.load(path)

    @classmethod
    def parse(cls, text: str) -> Vocabulary:
        """A vocabulary from `default`, `seed:N`, `official` (the imported one), `official:PATH` or a file's path.

        Raises VocabularyError.
        """
        kind, colon, rest = text.partition(":")
        if text == "default":
            return cls.default()
        if colon and kind == "seed":
            if not _SEED.fullmatch(rest):
                raise VocabularyError(f"expected seed:N with a whole number of at most 18 digits, got {text!r}")
            return cls.from_seed(int(rest))
        if text == "official":
            return cls.imported()
        if colon and kind == "official":
            return cls.from_official(Path(rest))
        if not Path(text).is_file():
            raise VocabularyError(
                f"expected default, seed:N, official, official:PATH or a vocabulary file, got {text!r}"
            )
        return cls.load(Path(text))


def official_folder() -> Path:
    """Where imported official data lies: `SEBENCH_OFFICIAL`, else `sebench/official` in the user's data folder."""
    named = os.environ.get("SEBENCH_OFFICIAL")
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sebench" / "official"


def _check(names: Mapping[Any, Any], source: str) -> None:
    """Raise VocabularyError unless every function of the catalog, and nothing else, has a pseudo-name of its form."""
    from zwc import catalog

    known = catalog.load().keys()
    for problem, ids in (("no name for", known - names.keys()), ("unknown functions", names.keys() - known)):
        if ids:
            shown = ", ".join(sorted(map(str, ids))[:5])
            raise VocabularyError(f"{source}: {problem} {shown}{', …' if len(ids) > 5 else ''}")
    for function_id, name in names.items():
        if not (isinstance(name, str) and _FORM.fullmatch(name) and len(name) in _LENGTHS and name not in _reserved()):
            raise VocabularyError(f"{source}: {name!r} for {function_id} is not a pseudo-name such as kocito")


def _canonical(names: Mapping[str, str]) -> bytes:
    return json.dumps(dict(sorted(names.items())), separators=(",", ":")).encode()


def _json_lines(path: Path) -> Iterator[Any]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise VocabularyError(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, start=1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise VocabularyError(f"{path}:{number}: not JSON ({error})") from error


def _official_function(name: str, pseudo_name: str, mapping: str) -> str:
    """Six names are in both modules: the entry's own mapping tells which one is meant."""
    for original, renamed in json.loads(mapping).items():
        if renamed == f"zwc.rfx.{pseudo_name}":
            return str(original.removeprefix("np."))
        if renamed == f"zwc.{pseudo_name}":
            return name
    raise ValueError(f"{pseudo_name} is not in its own mapping")


@functools.cache
def _reserved() -> frozenset[str]:
    return frozenset(resources.files("zwc").joinpath("data/reserved_words.txt").read_text(encoding="ascii").split())


def _assign(function_ids: Iterable[str], seed: str, pinned: Mapping[str, str]) -> dict[str, str]:
    names = dict(pinned)
    neighbours = {form for name in pinned.values() for form in _forms(name)}
    for function_id in function_ids:
        if function_id in names:
            continue
        for attempt in range(10_000):
            name = _name(f"{seed}/{function_id}/{attempt}")
            if name not in _reserved() and neighbours.isdisjoint(_forms(name)):
                break
        else:
            raise VocabularyError(f"no free pseudo-name for {function_id}")
        names[function_id] = name
        neighbours.update(_forms(name))
    return names


def _name(text: str) -> str:
    number = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
    number, choice = divmod(number, len(_LENGTHS))
    letters = []
    for index in range(_LENGTHS[choice]):
        alphabet = _VOWELS if index % 2 else _CONSONANTS
        number, letter = divmod(number, len(alphabet))
        letters.append(alphabet[letter])
    return "".join(letters)


def _forms(name: str) -> set[str]:
    """The name and all forms with one letter struck or masked: names at edit distance 1 share a form."""
    struck = {name[:i] + name[i + 1 :] for i in range(len(name))}
    masked = {f"{name[:i]}?{name[i + 1 :]}" for i in range(len(name))}
    return {name} | struck | masked
