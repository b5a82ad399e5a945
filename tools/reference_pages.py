"""Hook of MkDocs: the pages of the reference in the default vocabulary, made from the catalog as the site is built."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import ConfigurationError
from mkdocs.structure.files import File, Files

from zwc import reference
from zwc.vocabulary import Vocabulary

SECTION = "Reference of zwc"
FOLDER = "reference"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, and list them by family in the section of `nav` that is theirs."""
    pages = reference.markdown_files(Vocabulary.default())
    for path, content in pages.items():
        files.append(File.generated(config, f"{FOLDER}/{path}", content=content))
    _section(config)[SECTION] = _navigation(list(pages))
    return files


def _section(config: MkDocsConfig) -> dict[str, object]:
    for item in config.nav or []:
        if isinstance(item, dict) and SECTION in item:
            return item
    raise ConfigurationError(f"mkdocs.yml: nav has no section {SECTION!r}")


def _navigation(paths: list[str]) -> list[object]:
    """Pages of the top folder, then a section per folder. Titles come from the pages; a folder's index names it."""
    navigation: list[object] = [f"{FOLDER}/{path}" for path in paths if "/" not in path]
    families: dict[str, list[str]] = {}
    for path in paths:
        family, slash, _ = path.partition("/")
        if slash:
            families.setdefault(family, []).append(f"{FOLDER}/{path}")
    return navigation + [{family.replace("_", " ").capitalize(): pages} for family, pages in families.items()]
