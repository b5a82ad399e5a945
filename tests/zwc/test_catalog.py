"""The catalog: complete, well-formed, consistent."""

import ast
import builtins
import itertools
import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from zwc import catalog
from zwc._signature import Signature
from zwc.vocabulary import Vocabulary

ENTRIES = catalog.load()
PLACEHOLDER = re.compile(r"(?<!\{)\{([^{}]*)\}(?!\})")


def prose(entry):
    return [entry.summary, *entry.parameters.values(), entry.returns, *entry.errors, *entry.notes]


def for_every_entry(check):
    """A test that names every entry which fails the check, not only the first one."""

    def test():
        faults = []
        for entry in ENTRIES.values():
            try:
                check(entry)
            except AssertionError as error:
                faults.append(f"{entry.function_id}: {error}")
        assert not faults, "\n".join(faults)

    return test


def test_every_function_has_an_entry():
    assert ENTRIES.keys() == Vocabulary.default().names.keys()
    assert sum(entry.in_submodule for entry in ENTRIES.values()) == 31
    assert len(ENTRIES) == 247 + 31
    twice = [i for i in ENTRIES if f"linalg.{i}" in ENTRIES]
    assert sorted(twice) == ["cross", "diagonal", "matmul", "outer", "tensordot", "trace"]


@for_every_entry
def test_an_entry_is_complete(entry):
    assert entry.summary
    assert entry.returns
    assert len(entry.examples) >= 2
    assert len({example.code for example in entry.examples}) == len(entry.examples)
    assert entry.related


@for_every_entry
def test_signatures_are_plain_python(entry):
    definition = ast.parse(f"def f{entry.signature}: pass").body[0]
    assert isinstance(definition, ast.FunctionDef)
    defaults = [d for d in (*definition.args.defaults, *definition.args.kw_defaults) if d is not None]
    for default in defaults:
        if isinstance(default, ast.Name):
            assert default.id in ("bool", "int", "float", "complex")
        else:
            ast.literal_eval(default)


@for_every_entry
def test_explained_parameters_are_in_the_signature_in_its_order(entry):
    names = Signature(entry.signature).names
    assert [*entry.parameters] == [name for name in names if name in entry.parameters]


@for_every_entry
def test_a_parameter_that_refers_to_another_names_one_before_it(entry):
    seen = set()
    for name, text in entry.parameters.items():
        if text.startswith("See "):
            assert text.removeprefix("See ").removesuffix(".") in seen
        seen.add(name)


@for_every_entry
def test_texts_are_sentences(entry):
    for text in prose(entry):
        assert text == text.strip()
        assert text.endswith((".", "?"))
        assert "\n" not in text
    assert len(entry.summary.split()) <= 22


@for_every_entry
def test_errors_begin_with_a_builtin_exception(entry):
    kinds = [text.partition(": ")[0] for text in entry.errors]
    assert all(issubclass(getattr(builtins, kind), Exception) for kind in kinds)
    assert len(kinds) == len(set(kinds))


@for_every_entry
def test_references_exist(entry):
    mentioned = [i for text in prose(entry) for i in PLACEHOLDER.findall(text)]
    called = [i for example in entry.examples for i in PLACEHOLDER.findall(example.code)]
    assert {*mentioned, *called, *entry.related} <= ENTRIES.keys()
    assert entry.function_id not in {*mentioned, *entry.related}
    assert len(set(entry.related)) == len(entry.related)
    assert entry.function_id in called


@for_every_entry
def test_every_example_calls_its_function(entry):
    for example in entry.examples:
        assert f"{{{entry.function_id}}}" in example.code


@for_every_entry
def test_examples_are_short_and_end_with_a_value(entry):
    for example in entry.examples:
        code = PLACEHOLDER.sub(lambda match: match[1].replace(".", "_"), example.code)
        *_, last = ast.parse(code.strip()).body
        assert isinstance(last, ast.Expr)
        assert "import" not in code
        assert len(example.result) <= 80
        assert max(map(len, example.code.splitlines())) <= 100


def aliases():
    """Entries of one NumPy function each, where it has several names."""
    by_function = {}
    for entry in ENTRIES.values():
        module, _, name = entry.function_id.rpartition(".")
        function = getattr(np.linalg if module else np, name, entry.function_id)
        by_function.setdefault(function, []).append(entry)
    return [group for group in by_function.values() if len(group) > 1]


def test_aliases_have_one_signature():
    assert len(aliases()) == 16
    for first, *others in aliases():
        assert {entry.signature for entry in others} <= {first.signature}


def test_aliases_show_examples_of_their_own():
    for group in aliases():
        codes = [PLACEHOLDER.sub("", example.code) for entry in group for example in entry.examples]
        assert len(set(codes)) == len(codes), group[0].function_id


def test_families_are_files_and_hold_together():
    families = [entry.family for entry in ENTRIES.values()]
    assert [family for family, _ in itertools.groupby(families)] == sorted(set(families))


def test_pages_refer_to_functions_that_exist():
    assert set(catalog.pages()) == {"arrays", "keywords"}
    for template in catalog.pages().values():
        assert set(PLACEHOLDER.findall(template)) <= ENTRIES.keys()


def test_the_catalog_cannot_be_changed():
    with pytest.raises(TypeError):
        catalog.load()["mean"] = None
    with pytest.raises(FrozenInstanceError):
        catalog.load()["mean"].summary = ""
    with pytest.raises(TypeError):
        catalog.load()["mean"].parameters["a"] = ""


@pytest.mark.parametrize(
    ("record", "missing"),
    [
        ({}, "signature"),
        ({"signature": "()"}, "summary"),
        ({"signature": "()", "summary": "S.", "examples": [{"code": "1"}]}, "result"),
    ],
)
def test_a_malformed_entry_is_named(record, missing):
    with pytest.raises(ValueError, match=rf"logic\.toml: mean lacks '{missing}'"):
        catalog._entry("mean", "logic", record)
