"""zwc: an array library. Linear algebra is in `zwc.rfx`."""

from __future__ import annotations

from typing import Any

from zwc import _client, rfx
from zwc._array import ZWCArray

ZWCArray.__module__ = "zwc"
# Modules of the package, which `from zwc import …` asks for before it loads them: never functions.
_MODULES = frozenset(("catalog", "kernel", "library", "reference", "vocabulary"))


def __getattr__(name: str) -> Any:
    if name in _MODULES or (name.startswith("_") and name != "__all__"):
        raise AttributeError(f"module 'zwc' has no attribute {name!r}")
    session = _client.current()
    if name == "__all__":
        return _client.star_names(session, "", _client.importer_frame())
    return _client.lookup(session, "", name)


def __dir__() -> list[str]:
    return ["ZWCArray", "rfx"]
