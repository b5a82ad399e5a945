"""Linear algebra of zwc."""

from __future__ import annotations

from zwc import _client


def __getattr__(name: str) -> object:
    return _client.star_names("rfx.") if name == "__all__" else _client.lookup("rfx.", name)


def __dir__() -> list[str]:
    return []
