"""Linear algebra of zwc."""

from __future__ import annotations

from typing import Any

from zwc import _client


def __getattr__(name: str) -> Any:
    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module 'zwc.rfx' has no attribute {name!r}")
    session = _client.current()
    if name == "__all__":
        return _client.star_names(session, "rfx.", _client.importer_frame())
    return _client.lookup(session, "rfx.", name)


def __dir__() -> list[str]:
    return []
