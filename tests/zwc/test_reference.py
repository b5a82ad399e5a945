"""The reference: every example prints what it says, in every form and vocabulary, within the budget."""

import ast
import doctest
import json
import posixpath
import re
from pathlib import Path

import pytest

from tests.zwc.tokens import tokenizers
from zwc import catalog, reference
from zwc.library import open_library
from zwc.vocabulary import Vocabulary

OFFICIAL = Path(__file__).parents[3] / "shared/official/api_doc.jsonl"
VOCABULARIES = ["default", f"official:{OFFICIAL}", "seed:11", "seed:12", "seed:1234567890123"]
WHOLE_TOKENS = 60_000
COMPACT_TOKENS = 12_000
TYPICAL_TOKENS = 220
CHARACTERS_PER_TOKEN = 2.46  # of this text, measured with SmolLM2's tokenizer
ESTIMATE = f"estimated as characters / {CHARACTERS_PER_TOKEN}"


@pytest.fixture(params=VOCABULARIES, ids=["default", "official", "random1", "random2", "random3"], scope="module")
def vocabulary(request):
    if request.param.startswith("official") and not OFFICIAL.is_file():
        pytest.skip(f"the official API file is not at {OFFICIAL}")
    return Vocabulary.parse(request.param)


@pytest.fixture
def default():
    return Vocabulary.default()


@pytest.fixture(params=["SmolLM2", "Tekken"], scope="module")
def count_tokens(request):
    """How tokens are counted, and a function that does; an estimate stands in for SmolLM2's tokenizer."""
    count = tokenizers().get(request.param)
    if count:
        return request.param, count
    if request.param == "Tekken":
        pytest.skip("Tekken is not here: see tests/zwc/tokens.py")
    return ESTIMATE, lambda text: round(len(text) / CHARACTERS_PER_TOKEN)


def run_sessions(text, library, name):
    """Run all `>>>` lines of a text in order; the number of results that were compared, and the differences."""
    # A closing fence would count as part of the result above it.
    test = doctest.DocTestParser().get_doctest(text.replace("\n```", "\n"), {"zwc": library}, name, None, 0)
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    return sum(bool(example.want) for example in test.examples), report


def whole(form, vocabulary):
    return reference.render(form, vocabulary.names, vocabulary)


# Examples


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_examples_print_what_they_say(vocabulary, form, capsys):
    library = open_library(vocabulary)
    texts = {i: reference.render(form, [i], vocabulary) for i in vocabulary.names}
    texts |= reference.general_pages(vocabulary)
    results = {i: run_sessions(text, library, i) for i, text in texts.items()}
    assert not [line for _, report in results.values() for line in report]
    assert all(compared >= 2 for compared, _ in results.values())
    with capsys.disabled():
        print(f" {sum(compared for compared, _ in results.values())} results compared ", end="")


def test_example_data_print_what_they_say(vocabulary):
    library = open_library(vocabulary)
    for record in reference.records(vocabulary.names, vocabulary):
        for example in record.examples:
            assert evaluate(example["code"], library) == example["result"], record.name


def evaluate(code, library):
    *statements, last = ast.parse(code).body
    names = {"zwc": library}
    exec(compile(ast.Module(statements, []), "example", "exec"), names)
    return repr(eval(compile(ast.Expression(last.value), "example", "eval"), names))


def test_a_wrong_result_is_noticed(default):
    text = reference.render_text(["mean"], default).replace("[2.0, 4.0]", "[2.0, 4.5]")
    assert run_sessions(text, open_library(default), "mean")[1]


# Names


@pytest.mark.parametrize("form", ["text", "markdown", "jsonl", "compact"])
def test_every_name_is_of_the_vocabulary(vocabulary, form):
    text = whole(form, vocabulary)
    names = set(re.findall(r"\bzwc\.(?:rfx\.)?[a-z]\w*", text)) - {"zwc.rfx"}
    assert names == {vocabulary.qualified(i) for i in vocabulary.names}
    assert not re.search(r"\{\w+(\.\w+)?\}", text)


def test_related_functions_are_named_as_the_module_knows_them(default):
    text = reference.render_text(["linalg.solve"], default)
    [line] = [line for line in text.splitlines() if line.startswith("See also: ")]
    names = line.removeprefix("See also: ").split(", ")
    assert {default.functions[name.removeprefix("rfx.")] for name in names} <= {*catalog.load()["linalg.solve"].related}
    assert any(name.startswith("rfx.") for name in names)


def test_doubled_braces_are_single_ones():
    vocabulary = Vocabulary.default()
    assert reference._named("{{1: {mean}}}", vocabulary) == "{1: zwc.kocito}"


# Forms


def test_an_entry_reads_like_this(default):
    assert reference.render_text(["gcd"], default) == (
        f"{default.qualified('gcd')}(x1, x2, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None)\n"
        "Greatest common divisor of the absolute values, element-wise.\n"
        "- x1: Integers.\n"
        "- x2: Integers; broadcasts with x1.\n"
        "Returns: Integers of the broadcast shape, not negative.\n"
        "Raises: TypeError: floats (whole ones too) or other non-integers.\n"
        "Notes: With 0 the other absolute value results; two zeros give 0."
        " Takes two operands; it does not reduce one list.\n"
        f"See also: {default.names['lcm']}\n"
        f">>> {default.qualified('gcd')}([12, 7, 0], [18, 21, 5])\n"
        "ZWCArray([6, 7, 5])\n"
        f">>> {default.qualified('gcd')}([[12], [-20]], [8, 15])\n"
        "ZWCArray([[4, 3], [4, 5]])\n"
    )


def test_parameters_of_one_text_share_a_line(default):
    assert "\n- x1, x2: Vectors" in reference.render_text(["linalg.cross"], default)


def test_statements_of_several_lines_continue_with_dots(default):
    example = catalog.Example("f = lambda x: (\n    x)\nf({mean}([1]))", "1.0")
    assert reference._session(example, default) == (">>> f = lambda x: (\n...     x)\n>>> f(zwc.kocito([1]))\n1.0")


def test_prompts_get_entries_only(default):
    text = reference.render_text(["mean", "linalg.inv"], default)
    entries = text.strip().split("\n\n")
    assert [entry.partition("(")[0] for entry in entries] == ["zwc.kocito", default.qualified("linalg.inv")]


def test_a_selection_has_no_general_pages_and_the_whole_has(default):
    for form in ("text", "markdown"):
        assert "# Arrays of zwc" not in reference.render(form, ["mean"], default)
        assert whole(form, default).startswith("# Arrays of zwc")
        assert "# Common keywords of zwc" in whole(form, default)


def test_the_whole_is_ordered_by_family_and_name(default):
    ordered = reference.ordered(default)
    assert sorted(ordered) == sorted(default.names)
    keys = [(catalog.load()[i].family, default.wire_name(i)) for i in ordered]
    assert keys == sorted(keys)
    calls = [line.partition("(")[0] for line in whole("compact", default).splitlines()[2:]]
    assert calls == [default.qualified(i) for i in ordered]


def test_a_function_named_twice_appears_once(default):
    assert reference.render("compact", ["mean", "sum", "mean"], default).count("zwc.kocito(") == 1


def test_records_are_complete_and_serialisable(vocabulary):
    lines = whole("jsonl", vocabulary).splitlines()
    records = [json.loads(line) for line in lines]
    assert len({record["name"] for record in records}) == 278
    for record in records:
        assert record.keys() == {"name", "signature", "summary", "text", "examples", "family"}
        assert record["signature"].startswith(record["name"] + "(")
        assert record["text"].startswith(record["signature"])
        assert all(example.keys() == {"code", "result"} for example in record["examples"])


def test_compact_has_one_line_per_function_and_explains_itself(vocabulary):
    head, second, *lines = whole("compact", vocabulary).splitlines()
    assert "..." in head
    assert "out=None, where=True, casting='same_kind', order='K', dtype=None" in second
    assert len(lines) == 278
    assert sum("/, **common):" in line for line in lines) == 97


def links(path, text):
    """Files that a page links to."""
    targets = re.findall(r"\]\(([^)#]+\.md)(?:#[\w-]+)?\)", text)
    return {posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) for target in targets}


def test_pages_link_to_pages_only_and_the_indexes_to_all(vocabulary):
    files = reference.markdown_files(vocabulary)
    families = {entry.family for entry in catalog.load().values()}
    assert links("index.md", files["index.md"]) == files.keys() - {"index.md"} - {f"{f}/index.md" for f in families}
    assert len(files) == 278 + len(catalog.pages()) + len(families) + 1
    for path, text in files.items():
        assert links(path, text) <= files.keys(), path
    for family in families:
        members = {path for path in files if path.startswith(f"{family}/") and not path.endswith("/index.md")}
        assert links(f"{family}/index.md", files[f"{family}/index.md"]) - {"keywords.md"} == members


def test_pages_show_other_functions_as_links(default):
    files = reference.markdown_files(default)
    for function_id, entry in catalog.load().items():
        path = f"{entry.family}/{default.wire_name(function_id)}.md"
        text, _, examples = files[path].partition("```pycon\n")
        assert text.startswith(f"# {default.qualified(function_id)}\n\n`{default.qualified(function_id)}(")
        assert "](" not in examples
        related = {f"{catalog.load()[i].family}/{default.wire_name(i)}.md" for i in entry.related}
        assert related <= links(path, text)


def test_pages_are_wellformed_and_name_functions_of_the_vocabulary(vocabulary):
    names = {vocabulary.qualified(i) for i in vocabulary.names}
    for path, text in reference.markdown_files(vocabulary).items():
        assert text.startswith("# ")
        assert text.count("```") % 2 == 0, path
        assert set(re.findall(r"\bzwc\.(?:rfx\.)?[a-z]\w*", text)) - {"zwc.rfx"} <= names, path


def test_pages_say_where_shared_keywords_are_explained(default):
    files = reference.markdown_files(default)
    shared = {i for i, entry in catalog.load().items() if "casting='same_kind', order='K'" in entry.signature}
    assert len(shared) > 100
    for function_id, entry in catalog.load().items():
        text = files[f"{entry.family}/{default.wire_name(function_id)}.md"]
        [*explained] = re.findall(r"^- `([\w, ]+)`: \[as in element-wise functions\]", text, re.MULTILINE)
        named = set(explained[0].split(", ")) if explained else set()
        assert bool(named) == (function_id in shared)
        assert all(f"{name}=" in entry.signature and name not in entry.parameters for name in named)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("2*x plus 3*x", r"2\*x plus 3\*x"),
        ("x1**x2", r"x1\*\*x2"),
        ("a * b", "a * b"),
        ('dtype "<U5"', r'dtype "\<U5"'),
        ("1 < x", "1 < x"),
    ],
)
def test_prose_is_no_markup(text, escaped):
    assert reference._escaped(text) == escaped


def test_help_is_the_entry(vocabulary):
    for function_id in ("mean", "linalg.inv"):
        text = reference.help_text(vocabulary.wire_name(function_id), vocabulary)
        assert text + "\n" == reference.render_text([function_id], vocabulary)
    with pytest.raises(KeyError):
        reference.help_text("nosuch", vocabulary)


def test_an_excerpt_explains_the_keywords_that_its_signatures_show(vocabulary):
    sqrt, mean = (reference.render_text([i], vocabulary) for i in ("sqrt", "mean"))
    text = reference.excerpt(["sqrt", "mean"], vocabulary)
    assert text.startswith(f"{sqrt}\n{mean}\n")
    for keyword in ("out", "where", "dtype", "casting", "order"):
        assert f"\n- {keyword}: " in text.removeprefix(sqrt)
    assert reference.excerpt(["mean"], vocabulary) == mean == reference.render("text", ["mean"], vocabulary)
    assert reference.render("text", ["sqrt", "mean"], vocabulary) == text
    shown = reference.help_text(vocabulary.wire_name("sqrt"), vocabulary)
    assert shown + "\n" == reference.excerpt(["sqrt"], vocabulary)


@pytest.mark.parametrize("form", ["text", "markdown", "jsonl", "compact"])
def test_unknown_functions_are_refused(default, form):
    with pytest.raises(KeyError):
        reference.render(form, ["no_such_function"], default)
    with pytest.raises(KeyError):
        reference.render("pdf", ["mean"], default)


# Budget


def test_the_whole_reference_fits_the_budget(vocabulary, count_tokens, capsys):
    how, count = count_tokens
    tokens, compact = count(whole("text", vocabulary)), count(whole("compact", vocabulary))
    with capsys.disabled():
        print(f" {tokens} tokens, compact {compact} ({how}) ", end="")
    slack = 1.02 if how == ESTIMATE else 1.0
    assert tokens <= WHOLE_TOKENS * slack
    assert compact <= COMPACT_TOKENS


def test_entries_are_short(default, count_tokens, capsys):
    how, count = count_tokens
    tokens = {i: count(reference.render_text([i], default)) for i in default.names}
    largest = sorted(tokens, key=tokens.__getitem__, reverse=True)[:3]
    median = sorted(tokens.values())[len(tokens) // 2]
    with capsys.disabled():
        print(f" median {median}, largest {', '.join(f'{i} {tokens[i]}' for i in largest)} ({how}) ", end="")
    assert median < TYPICAL_TOKENS
    margin = 1.15 if how == ESTIMATE else 1.0  # an estimate of a single entry is rough
    assert max(tokens.values()) < 2 * TYPICAL_TOKENS * margin
