"""zwc: an array library. Linear algebra is in `zwc.rfx`."""

from __future__ import annotations

from zwc import _client
from zwc import rfx as rfx
from zwc._array import ZWCArray

ZWCArray.__module__ = _client.Function.__module__ = "zwc"


def __getattr__(name: str) -> object:
    return _client.star_names("") if name == "__all__" else _client.lookup("", name)


def __dir__() -> list[str]:
    return ["ZWCArray", "rfx"]
