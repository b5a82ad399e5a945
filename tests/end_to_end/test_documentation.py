"""The documentation site: it builds without a warning, and shows the reference of the default vocabulary."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import data_card
from zwc import catalog, reference
from zwc.vocabulary import Vocabulary

pytest.importorskip("mkdocs", reason="needs the extra `docs`")
pytest.importorskip("material", reason="needs the extra `docs`")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (run.returncode, run.stdout + run.stderr) == (0, "")
    return folder


def page(site: Path, source: str) -> str:
    """HTML of the page that a Markdown file of the reference became."""
    path = source.removesuffix("index.md").removesuffix(".md").rstrip("/")
    return (site / "reference" / path / "index.html").read_text(encoding="utf-8")


def article(html: str) -> str:
    """What a page says, without navigation."""
    return html.partition("<article")[2].partition("</article>")[0]


def test_every_page_of_the_reference_is_there(site: Path) -> None:
    for source, text in reference.markdown_files(Vocabulary.default()).items():
        heading = re.search(r"<h1[^>]*>([^<]+)<", article(page(site, source)))
        assert heading is not None, source
        assert f"# {heading[1]}" == text.partition("\n")[0]


def test_prose_is_not_read_as_markup(site: Path) -> None:
    """A stray `*` or `<` in an entry would show as emphasis or vanish."""
    known = set("a article/ br code div h1 h2 h3 li p pre span strong table tbody td th thead tr ul".split())
    for source in reference.markdown_files(Vocabulary.default()):
        text = article(page(site, source))
        assert set(re.findall(r"<(\w+)", text)) <= known, source
        assert "\\" not in re.sub("<pre.*?</pre>", "", text, flags=re.DOTALL), source


def test_pseudo_names_are_found_by_searching(site: Path) -> None:
    """The search looks for words: those between separators."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    separator = re.compile(index["config"]["separator"])
    words = {entry["location"]: separator.split(entry["title"]) for entry in index["docs"]}
    vocabulary = Vocabulary.default()
    for function_id, entry in catalog.load().items():
        location = f"reference/{entry.family}/{vocabulary.wire_name(function_id)}/"
        assert vocabulary.names[function_id] in words[location]
    assert "kocito" in separator.split("zwc.kocito(a, axis=None)")


def test_a_page_lists_its_own_family_only(site: Path) -> None:
    """278 functions in the menu of every page would be no menu."""
    home = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="reference/"' in home
    assert "kocito/" not in home.partition("<article")[0]
    menu = page(site, "statistics/kocito.md").partition("<article")[0]
    vocabulary = Vocabulary.default()
    listed = {i for i in vocabulary.names if f'{vocabulary.wire_name(i)}/"' in menu}
    family = {i for i, entry in catalog.load().items() if entry.family == "statistics"}
    assert listed == family - {"mean"}


def test_the_data_card_counts_the_problems_as_they_are() -> None:
    text = data_card.PAGE.read_text(encoding="utf-8")
    assert data_card.page(text) == text, "run `python tools/data_card.py`"
