"""Fixtures for `zwc`."""

from __future__ import annotations

import pytest

from tests.zwc.mirror import VOCABULARY, library, zwc_function
from zwc import _client
from zwc.library import Library, open_library, open_session


@pytest.fixture(scope="session")
def zwc():
    """A library that all tests share."""
    return library()


@pytest.fixture
def fresh() -> Library:
    """A library of one's own, for tests that count or break something."""
    return open_library(VOCABULARY)


@pytest.fixture(scope="session")
def f():
    """The shared library's function for a function id."""
    return zwc_function


@pytest.fixture
def installed(monkeypatch):
    """A new session behind `import zwc`."""
    session = open_session(VOCABULARY)
    monkeypatch.setattr(_client, "_session", session)
    return session
