"""Vocabularies: fixed for ever, balanced, and refused when malformed."""

import builtins
import functools
import itertools
import json
import keyword
import math
import random
import shutil
import statistics
import string
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from sebench_tasks import problems
from tests.zwc.tokens import tokenizers
from zwc import catalog
from zwc.vocabulary import Vocabulary, VocabularyError, _assign, official_folder

ROOT = Path(__file__).parents[2]
OFFICIAL = ROOT.parent / "shared/official/api_doc.jsonl"
FINGERPRINTS = {"default": "ff6e49ab6cbe", "seed:1": "acc48e898b9d", "seed:2": "030f08d1d6f3", "seed:3": "e927861480d5"}
BALANCE_SEEDS = range(1000, 1200)


def some_vocabularies():
    return [Vocabulary.default(), *(Vocabulary.from_seed(seed) for seed in (1, 2, 3, 77))]


@pytest.fixture(scope="module")
def many():
    return [Vocabulary(_assign(sorted(catalog.load()), f"{seed}", {}), f"seed:{seed}") for seed in BALANCE_SEEDS]


def edits(name):
    """All strings at edit distance 1."""
    cuts = [(name[:i], name[i:]) for i in range(len(name) + 1)]
    deleted = {head + tail[1:] for head, tail in cuts if tail}
    replaced = {head + letter + tail[1:] for head, tail in cuts if tail for letter in string.ascii_lowercase}
    inserted = {head + letter + tail for head, tail in cuts for letter in string.ascii_lowercase}
    return (deleted | replaced | inserted) - {name}


# What stays the same


@pytest.mark.parametrize(("text", "fingerprint"), FINGERPRINTS.items())
def test_fingerprints_never_change(text, fingerprint):
    assert Vocabulary.parse(text).fingerprint == fingerprint


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_other_python_versions_make_the_same_vocabularies(version):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    code = (
        "from zwc.vocabulary import Vocabulary\n"
        f"print(*(Vocabulary.parse(text).fingerprint for text in {list(FINGERPRINTS)!r}))"
    )
    run = subprocess.run([python, "-B", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == list(FINGERPRINTS.values())


def interpreter(version):
    installed = sorted((Path.home() / ".pyenv/versions").glob(f"{version}*/bin/python"))
    for candidate in filter(None, [shutil.which(f"python{version}"), *installed]):
        if subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def test_the_default_vocabulary_keeps_the_published_pair():
    assert Vocabulary.default().names["mean"] == "kocito"
    assert Vocabulary.default().qualified("mean") == "zwc.kocito"


def test_the_default_vocabulary_can_be_made_again():
    assert _assign(sorted(catalog.load()), "0", {"mean": "kocito"}) == dict(Vocabulary.default().names)


# Names


@pytest.mark.parametrize("vocabulary", some_vocabularies(), ids=lambda v: v.label)
def test_names_cover_the_catalog(vocabulary):
    assert vocabulary.names.keys() == catalog.load().keys()
    assert {vocabulary.functions[name] for name in vocabulary.names.values()} == catalog.load().keys()


@pytest.mark.parametrize("vocabulary", some_vocabularies(), ids=lambda v: v.label)
def test_names_are_consonants_and_vowels_in_turn(vocabulary):
    for name in vocabulary.names.values():
        assert 5 <= len(name) <= 7
        assert set(name[::2]) <= set("bcdfghjklmnpqrstvwxyz")
        assert set(name[1::2]) <= set("aeiou")


@pytest.mark.parametrize("vocabulary", some_vocabularies(), ids=lambda v: v.label)
def test_names_differ_by_two_edits_or_more(vocabulary):
    names = set(vocabulary.names.values())
    for name in names:
        assert edits(name).isdisjoint(names)


def test_edits_know_their_neighbours():
    assert {"kocit", "kocitoz", "bocito", "kocto", "kaocito"} <= edits("kocito")
    assert "kocita" in edits("kocito")
    assert "kociat" not in edits("kocito")


@pytest.mark.parametrize("vocabulary", some_vocabularies(), ids=lambda v: v.label)
def test_names_mean_nothing_in_python_or_numpy(vocabulary):
    taken = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *sys.stdlib_module_names, *dir(np), *dir(np.linalg)}
    taken |= {"catalog", "kernel", "library", "reference", "vocabulary", "rfx", "zwc", "numpy", "scipy"}
    assert taken.isdisjoint(vocabulary.names.values())


def test_reserved_words_hold_english_words_of_the_form():
    from zwc.vocabulary import _reserved

    assert {"catalog", "tomato", "banana", "minimum"} <= _reserved()


def test_submodule_functions_are_qualified():
    vocabulary = Vocabulary.from_seed(1)
    assert vocabulary.qualified("linalg.inv") == f"zwc.rfx.{vocabulary.names['linalg.inv']}"
    assert vocabulary.wire_name("linalg.inv") == f"rfx.{vocabulary.names['linalg.inv']}"
    with pytest.raises(KeyError):
        vocabulary.qualified("no_such_function")


# Balance


def spread(values_by_group):
    """Largest distance, in standard errors, of a group's mean from the mean of all."""
    everything = list(itertools.chain.from_iterable(values_by_group.values()))
    centre, deviation = statistics.fmean(everything), statistics.pstdev(everything)
    return max(
        abs(statistics.fmean(values) - centre) / (deviation / math.sqrt(len(values)))
        for values in values_by_group.values()
    )


def grouped(vocabularies, measure):
    """A figure of every name, by family, by module and by vocabulary."""
    by_family, by_module, by_vocabulary = defaultdict(list), defaultdict(list), defaultdict(list)
    for vocabulary in vocabularies:
        for function_id, name in vocabulary.names.items():
            figure = measure(name)
            by_family[catalog.load()[function_id].family].append(figure)
            by_module[catalog.load()[function_id].in_submodule].append(figure)
            by_vocabulary[vocabulary.label].append(figure)
    return by_family, by_module, by_vocabulary


def syllables(name):
    return sum(letter in "aeiou" for letter in name)


MEASURES = {"length": len, "syllables": syllables, "SmolLM2": None, "Tekken": None}


@pytest.fixture(scope="module", params=MEASURES)
def measure(request):
    """A figure of a name: letters, syllables, or tokens where it stands in code."""
    if MEASURES[request.param]:
        return MEASURES[request.param]
    count = tokenizers().get(request.param)
    if count is None:
        pytest.skip(f"{request.param}'s tokenizer is not here: see tests/zwc/tokens.py")
    return functools.cache(lambda name: count(f"zwc.{name}("))


@pytest.fixture(scope="module")
def frequencies():
    """How many problems need each function."""
    needed = Counter(function_id for problem in problems.load("all") for function_id in problem.functions)
    return {function_id: needed[function_id] for function_id in catalog.load()}


def strength(pairs):
    """The correlation of pairs of figures, in standard errors."""
    pairs = list(pairs)
    return statistics.correlation(*zip(*pairs, strict=True)) * math.sqrt(len(pairs))


def test_no_family_no_module_and_no_vocabulary_has_easier_names(many, measure):
    assert all(spread(groups) < 4 for groups in grouped(many, measure))


def test_functions_that_are_needed_often_have_no_easier_names(many, measure, frequencies):
    assert abs(strength((frequencies[i], measure(name)) for v in many for i, name in v.names.items())) < 4


def test_the_balance_check_sees_a_bias_of_a_twentieth_of_a_letter():
    generator = random.Random(5)
    groups = {family: [generator.choice((5, 6, 7)) for _ in range(4000)] for family in range(12)}
    assert spread(groups) < 4
    groups[0] = [value + (generator.random() < 0.1) for value in groups[0]]
    assert spread(groups) > 4


def test_the_balance_check_sees_shorter_names_where_they_are_needed_often(frequencies):
    """A letter less in every tenth name of a function that is needed more often than most."""
    generator, median = random.Random(5), statistics.median(frequencies.values())
    fair = [(needed, generator.choice((5, 6, 7))) for needed in frequencies.values() for _ in BALANCE_SEEDS]
    assert abs(strength(fair)) < 4
    assert strength((n, length - (n > median and generator.random() < 0.1)) for n, length in fair) < -4


def test_letters_are_spread_evenly(many):
    """A consonant or vowel is as likely in one family as in another."""
    for letter in "zko":
        assert spread(grouped(many, lambda name, letter=letter: name.count(letter))[0]) < 4


def test_seeds_give_unrelated_names():
    first, second = Vocabulary.from_seed(1), Vocabulary.from_seed(2)
    shared = set(first.names.values()) & set(second.names.values())
    assert len(shared) < 5
    assert all(first.names[i] != second.names[i] for i in first.names)


# Files


def test_save_and_load_round_trip(tmp_path):
    saved = Vocabulary.from_seed(9)
    saved.save(tmp_path / "nine.json")
    loaded = Vocabulary.load(tmp_path / "nine.json")
    assert loaded == saved
    assert (loaded.label, loaded.fingerprint) == ("seed:9", saved.fingerprint)
    assert hash(loaded) == hash(saved)


def edited(tmp_path, edit):
    file = tmp_path / "edited.json"
    Vocabulary.from_seed(9).save(file)
    record = json.loads(file.read_text())
    edit(record)
    file.write_text(json.dumps(record))
    return file


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda r: r["names"].update(mean="zuzuzu"), "the names were changed"),
        (lambda r: r["names"].update(mean=r["names"]["sum"]), "two functions share a pseudo-name"),
        (lambda r: r["names"].pop("mean"), "no name for mean"),
        (lambda r: r["names"].update(fft="zuzuzu"), "unknown functions fft"),
        (lambda r: r["names"].update(mean="average"), "'average' for mean is not a pseudo-name"),
        (lambda r: r["names"].update(mean="catalog"), "'catalog' for mean is not a pseudo-name"),
        (lambda r: r["names"].update(mean=7), "7 for mean is not a pseudo-name"),
        (lambda r: r.update(fingerprint="0" * 12), "the names were changed"),
        (lambda r: r.pop("fingerprint"), "not a vocabulary file"),
        (lambda r: r.pop("label"), "not a vocabulary file"),
        (lambda r: r.update(names=[1]), "not a vocabulary file"),
    ],
)
def test_edited_files_are_refused(tmp_path, edit, message):
    with pytest.raises(VocabularyError, match=message) as caught:
        Vocabulary.load(edited(tmp_path, edit))
    assert "edited.json" in str(caught.value) or "share" in message


@pytest.mark.parametrize("content", [b"", b"[]", b"12", b"{", b"\xff\xfe", b'{"names": null, "label": 1}'])
def test_other_files_are_refused(tmp_path, content):
    file = tmp_path / "other.json"
    file.write_bytes(content)
    with pytest.raises(VocabularyError, match="not a vocabulary file"):
        Vocabulary.load(file)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(VocabularyError, match="not a vocabulary file"):
        Vocabulary.load(tmp_path / "nowhere.json")


def test_names_cannot_be_changed():
    with pytest.raises(TypeError):
        Vocabulary.default().names["mean"] = "zuzuzu"


def test_two_functions_cannot_share_a_name():
    with pytest.raises(VocabularyError, match="two functions share"):
        Vocabulary({"mean": "kocito", "sum": "kocito"}, "mine")


# The official API file


def official_lines(vocabulary):
    mapping = {f"np.{i}": vocabulary.qualified(i) for i in vocabulary.names}
    for function_id, name in vocabulary.names.items():
        own = {f"np.{function_id}": mapping[f"np.{function_id}"], "np.sum": mapping["np.sum"]}
        record = {"original_name": function_id.removeprefix("linalg."), "curr_name": name}
        yield json.dumps(record | {"func_mapping": json.dumps(own), "docstring": "…"})


def written(tmp_path, lines):
    file = tmp_path / "api.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_an_api_file_gives_its_names_back(tmp_path):
    vocabulary = Vocabulary.from_seed(4)
    read = Vocabulary.from_official(written(tmp_path, official_lines(vocabulary)))
    assert read.names == vocabulary.names
    assert (read.label, read.fingerprint) == ("official", vocabulary.fingerprint)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:10], "no name for .*, …"),
        (lambda lines: [""], ":1: not JSON"),
        (lambda lines: [*lines, lines[0]], ":279: a second entry for abs"),
        (lambda lines: ["{", *lines[1:]], ":1: not JSON"),
        (lambda lines: ["3", *lines[1:]], ":1: not an entry of the official API file"),
        (lambda lines: [lines[0].replace("func_mapping", "mapping"), *lines[1:]], ":1: not an entry"),
        (lambda lines: [lines[0].replace("zwc.", "abc."), *lines[1:]], ":1: not an entry"),
    ],
)
def test_a_malformed_api_file_is_refused_with_its_line(tmp_path, change, message):
    lines = list(official_lines(Vocabulary.from_seed(4)))
    with pytest.raises(VocabularyError, match=message):
        Vocabulary.from_official(written(tmp_path, change(lines)))


def test_a_missing_api_file_is_refused(tmp_path):
    with pytest.raises(VocabularyError, match="cannot be read"):
        Vocabulary.from_official(tmp_path / "nowhere.jsonl")


@pytest.mark.skipif(not OFFICIAL.is_file(), reason=f"the official API file is not at {OFFICIAL}")
def test_the_official_api_file_is_read():
    vocabulary = Vocabulary.from_official(OFFICIAL)
    assert vocabulary.names.keys() == catalog.load().keys()
    assert vocabulary.names["abs"] == "falekef"
    both = [i.removeprefix("linalg.") for i in vocabulary.names if i.startswith("linalg.")]
    assert sum(name in vocabulary.names for name in both) == 6


# Texts that name a vocabulary


def test_texts_name_vocabularies(tmp_path):
    Vocabulary.from_seed(8).save(tmp_path / "eight.json")
    api_file = written(tmp_path, official_lines(Vocabulary.from_seed(4)))
    assert Vocabulary.parse("default") is Vocabulary.default()
    assert Vocabulary.parse("seed:8") == Vocabulary.from_seed(8)
    assert Vocabulary.parse("seed:008").label == "seed:8"
    assert Vocabulary.parse(f"{tmp_path}/eight.json") == Vocabulary.from_seed(8)
    assert Vocabulary.parse(f"official:{api_file}").label == "official"


@pytest.mark.parametrize("text", ["seed:", "seed:x", "seed:-1", "seed:1.5", "seed:²", "seed:٣", "seed:" + "9" * 5000])
def test_a_seed_is_a_whole_number(text):
    with pytest.raises(VocabularyError, match="expected seed:N"):
        Vocabulary.parse(text)


@pytest.mark.parametrize("text", ["", "Default", "seed", "no/such/file.json", ".", "Official"])
def test_other_texts_are_refused(text):
    with pytest.raises(VocabularyError, match="expected default, seed:N, official, official:PATH or a vocabulary file"):
        Vocabulary.parse(text)


def test_official_is_the_imported_vocabulary(tmp_path, monkeypatch):
    monkeypatch.setenv("SEBENCH_OFFICIAL", str(tmp_path))
    with pytest.raises(VocabularyError, match=f"no official vocabulary at {tmp_path}.*`sebench official import`"):
        Vocabulary.parse("official")
    Vocabulary.from_seed(8).save(tmp_path / "vocabulary.json")
    assert Vocabulary.parse("official") == Vocabulary.from_seed(8)


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"SEBENCH_OFFICIAL": "/data/official", "XDG_DATA_HOME": "/other"}, "/data/official"),
        ({"SEBENCH_OFFICIAL": "~/official"}, "/home/someone/official"),
        ({"XDG_DATA_HOME": "/data"}, "/data/sebench/official"),
        ({}, "/home/someone/.local/share/sebench/official"),
    ],
)
def test_imported_data_has_one_place(monkeypatch, variables, folder):
    for name, value in {"SEBENCH_OFFICIAL": "", "XDG_DATA_HOME": "", "HOME": "/home/someone", **variables}.items():
        monkeypatch.setenv(name, value)
    assert str(official_folder()) == folder
