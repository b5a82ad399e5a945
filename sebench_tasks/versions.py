"""Versions of installed packages, for results that say what they were made with."""

from importlib import metadata

NOT_INSTALLED = "not installed"


def installed(distribution: str) -> str:
    """The version of a distribution, or NOT_INSTALLED."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return NOT_INSTALLED
