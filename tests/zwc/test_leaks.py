"""Nothing that a model or its code can see names a NumPy identifier.

The audit calls every function in very many wrong ways and a few right ones, and reads every text that comes back:
exception types and messages, tracebacks, reprs, dtypes, docstrings, names, attributes, and the reference in all forms.
Words that the call itself contained may come back. What is plain English is said once, in `zwc._messages`.
"""

import ast
import builtins
import functools
import inspect
import io
import operator
import os
import pydoc
import random
import re
import traceback
import types
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import zwc
from sandbox.view import SOLUTION_FILES
from zwc import _client, catalog, reference
from zwc._array import ZWCArray
from zwc._messages import PLAIN_WORDS
from zwc._signature import Signature
from zwc.library import open_library
from zwc.vocabulary import Vocabulary

PROJECT = Path(__file__).parents[2]
OFFICIAL = PROJECT.parent / "shared/official/api_doc.jsonl"
FORBIDDEN = re.compile(r"numpy|ufunc|ndarray|linalg|array_like|(?<![a-z])np(?![a-z])", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 object "
    "datetime64 timedelta64".split()
)
# Words of the reference that are NumPy names too, beside PLAIN_WORDS and parameters: English and mathematics
# ("the minimum", "a view"), Python's own abs and divmod, a mode called "clip", and the attribute ndim.
REFERENCE_WORDS = frozenset(
    "abs absolute angle around average block clip conjugate data diagonal divide divmod dot dtypes flat flatten "
    "floating floor half identity inf inner maximum median minimum nan ndim norm pi polynomial radians remainder roots "
    "solve spacing strings transpose view".split()
)
ATTRIBUTES = frozenset(("T", "dtype", "ndim", "shape", "size"))
# Variables in the source lines that a traceback shows.
CODE_WORDS = frozenset(("item",))
# Attributes of an array, and of functions of NumPy, that code might try.
GUESSES = sorted(
    name
    for name in {*dir(np.ndarray), *dir(np.add), *dir(np.mean), *dir(np.vectorize), "__wrapped__", "__self__"}
    if not FORBIDDEN.search(name)
)

# The part of all wrong calls that a run makes, another one for each vocabulary; 1 makes every call.
SHARE = float(os.environ.get("ZWC_AUDIT_SHARE", "0.05"))
HUGE = 10**15
# Also what the caller passed in: dicts, types and functions come back out of arrays of objects.
RESULT_TYPES = (
    int, float, complex, bool, str, bytes, tuple, list, type(None), dict, set, type, type(len), type(lambda: 0),
    ZWCArray, _client.Vectorized,
)  # fmt: skip
ODD_VALUES = (
    None, True, -1, 7, 99, HUGE, -HUGE, 10**30, 1.5, float("nan"), 2j, "", "text", "float64", b"bytes", (), [], {},
    [1, 2, 3, 4, 5, 6, 7], [[1, 2], [3, 4]], [[1], [2, 3]], [[[1.0]]], ["a", "b"], (0, 0), (5, -9), [True, None],
    [0.5, "x"], [10**30], range(3), {"axis": 0}, {1, 2}, slice(0, 2), ..., int, object, dict, len, object(),
)  # fmt: skip


def identifiers():
    names = {name for owner in (np, np.linalg, np.ndarray) for name in dir(owner) if not name.startswith("__")}
    names |= {i.removeprefix("linalg.") for i in catalog.load()}
    names |= {"AxisError", "LinAlgError", "UFuncTypeError", "umath", "multiarray", "array_like", "newaxis", "nanmean"}
    return frozenset(names)


IDENTIFIERS = identifiers()


def leaks(text, allowed=frozenset()):
    """Words of a text that name something of NumPy."""
    words = {word for word in WORD.findall(text) if word in IDENTIFIERS}
    return ({match[0] for match in FORBIDDEN.finditer(text)} | (words - PLAIN_WORDS - DTYPES)) - allowed


class Audit:
    """What was looked at and what was found."""

    def __init__(self):
        self.looked = Counter()
        self.found = {}

    def look(self, kind, text, where, allowed=frozenset()):
        self.looked[kind] += 1
        for word in leaks(text, allowed):
            self.found.setdefault((kind, word), f"{where}: {text[:200]}")

    def report(self):
        return "\n".join(f"{kind} {word!r} at {text}" for (kind, word), text in sorted(self.found.items())[:40])

    def close(self, capsys, title):
        with capsys.disabled():
            counts = ", ".join(f"{count} {kind}" for kind, count in self.looked.items())
            print(f"\n{title}: looked at {counts}; {len(self.found)} leaks")
        assert not self.found, f"{len(self.found)} leaks\n{self.report()}"


@pytest.fixture
def audit():
    return Audit()


@pytest.fixture(params=["default", "seed:21", f"official:{OFFICIAL}"], ids=["default", "random", "official"])
def vocabulary(request):
    if request.param.startswith("official") and not OFFICIAL.is_file():
        pytest.skip(f"the official API file is not at {OFFICIAL}")
    return Vocabulary.parse(request.param)


# Calls


def right_calls(entry, vocabulary, library):
    """Arguments of the calls in a function's examples, as (positional, by keyword)."""
    own = vocabulary.qualified(entry.function_id)
    for record in reference.records([entry.function_id], vocabulary)[0].examples:
        *statements, last = ast.parse(record["code"]).body
        names = {"zwc": library}
        exec(compile(ast.Module(statements, []), "example", "exec"), names)
        for node in ast.walk(last):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == own:
                if any(isinstance(argument, ast.Starred) for argument in node.args):
                    continue
                positional = [value_of(argument, names) for argument in node.args]
                yield positional, {item.arg: value_of(item.value, names) for item in node.keywords}


@functools.cache
def names_in(signature):
    return frozenset(Signature(signature).names)


def parameters(entry):
    return names_in(entry.signature)


def value_of(node, names):
    return eval(compile(ast.Expression(node), "example", "eval"), names)


def wrong_calls(entry, positional, named, extra):
    """Very many variations of a right call; `extra` are arrays of the library."""
    values = (*ODD_VALUES, *extra)
    yield [], {}
    yield [*positional] * 6, named
    yield positional, {**named, "no_such_parameter": 1}
    for position in range(len(positional)):
        yield positional[:position] + positional[position + 1 :], named
        for value in values:
            yield [*positional[:position], value, *positional[position + 1 :]], named
    for value in values:
        yield [value], {}
        yield [value, value], {}
    for name in sorted(parameters(entry)):
        for value in values:
            yield positional, {**named, name: value}


# Powers of Python integers have no bound, and these end in one.
POWERS = frozenset(("pow", "power", "linalg.norm", "linalg.vector_norm"))


def safe(entry, positional, named):
    """Whether a call ends, and soon: NumPy repeats some work without bound.

    NumPy 2.0 to 2.4 crash where running sums write to an array without axes, and all and any to one of objects.
    """
    numbers = [value for value in flat([*positional, *named.values()]) if isinstance(value, int)]
    largest = max(map(abs, numbers), default=0)
    arrays = [value for value in (*positional, *named.values()) if isinstance(value, ZWCArray)]
    if entry.function_id in ("cumsum", "cumprod"):
        return all(array.shape for array in arrays)
    if entry.function_id in ("all", "any"):
        return all(array.dtype != "object" for array in arrays)
    return not ((entry.function_id == "diff" and largest > 100) or (entry.function_id in POWERS and largest > HUGE))


def flat(values):
    for value in values:
        if isinstance(value, list | tuple):
            yield from flat(value)
        else:
            yield value


def try_call(audit, function, entry, positional, named):
    where = f"{entry.function_id}{(*positional,)!r:.80} {named!r:.60}"
    said = words_of(positional, named)
    try:
        value = function(*positional, **named)
    except Exception as error:
        look_at_error(audit, error, where, said | parameters(entry))
    else:
        look_at_value(audit, value, where, said)


def words_of(positional, named):
    """Words that the caller said: the arguments, and the dtypes of arrays among them."""
    dtypes = [value.dtype for value in flat([*positional, *named.values()]) if isinstance(value, ZWCArray)]
    return frozenset(WORD.findall(f"{positional!r} {named!r} {dtypes}"))


def look_at_error(audit, error, where, said=frozenset()):
    kind = type(error)
    assert kind.__module__ == "builtins", f"{where}: {kind.__module__}.{kind.__qualname__}"
    assert error.__cause__ is None, where
    assert error.__suppress_context__ or error.__context__ is None, f"{where}: context {error.__context__!r}"
    assert not vars(error), where
    audit.look("messages", f"{kind.__name__}: {error} {error.args!r}", where, said)
    called = {
        word for word in re.findall(r"(\w+)\(", str(error)) if word in IDENTIFIERS and not hasattr(builtins, word)
    }
    assert called <= said, f"{where}: {error}"
    if audit.looked["messages"] % 20 == 1:
        frames = "".join(traceback.format_exception(error)).replace(str(PROJECT), "")
        frames = "\n".join(line for line in frames.splitlines() if __name__ not in line and "test_leaks" not in line)
        called = re.sub(r"value = function\(.*|\s*\^+", "", frames)
        audit.look("tracebacks", called, where, said | CODE_WORDS)


def look_at_value(audit, value, where, said=frozenset()):
    """Types of results are Python's or the library's, and their texts give nothing away."""
    kind = type(value)
    assert kind in RESULT_TYPES, f"{where}: {kind.__module__}.{kind.__qualname__}"
    if kind in (tuple, list):
        for item in value[:20]:
            look_at_value(audit, item, where, said)
    elif kind is ZWCArray:
        audit.look("dtypes", value.dtype, where, said)
        if value.size < 200:
            audit.look("arrays", f"{value!r} {value}", where, said | {"nan", "inf"})
    elif kind is not str:
        audit.look("values", repr(value), where, said | {"nan", "inf"})
    else:
        audit.look("texts", value, where, said)


def some_arrays(vocabulary, library):
    make = getattr(library, vocabulary.names["array"])
    contents = [([1, 2, 3], None), ([[1.5, 2], [3, 4]], None), ([], None), (5, None), ([True, False], None)]
    contents += [(["a", "bc"], None), ([1j], None), ([1, 2], "uint8"), ([None, 1], "object"), ([1], "datetime64[D]")]
    return [make(values) if dtype is None else make(values, dtype=dtype) for values, dtype in contents]


def test_no_call_gives_anything_away(vocabulary, audit, capsys):
    library = open_library(vocabulary)
    extra = some_arrays(vocabulary, library)
    choose = random.Random(vocabulary.label)
    for entry in catalog.load().values():
        function = operator.attrgetter(vocabulary.wire_name(entry.function_id))(library)
        for number_of_call, (positional, named) in enumerate(right_calls(entry, vocabulary, library)):
            try_call(audit, function, entry, positional, named)
            if number_of_call == 0:
                for wrong, wrong_named in wrong_calls(entry, positional, named, extra):
                    if choose.random() < SHARE and safe(entry, wrong, wrong_named):
                        try_call(audit, function, entry, wrong, wrong_named)
    audit.close(capsys, f"calls, {vocabulary.label}, NumPy {np.__version__}")


BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and_", "or_", "xor")
IN_PLACE = tuple(f"i{name.rstrip('_')}" for name in BINARY)
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne", "contains", "getitem", "delitem")
UNARY = ("neg", "pos", "abs", "invert", "index", "truth", "length_hint")
CONVERSIONS = (int, float, complex, bool, len, iter, list, hash, round, bytes, sum, sorted, reversed, str, format)


def test_no_operator_gives_anything_away(vocabulary, audit, capsys):
    library = open_library(vocabulary)
    choose = random.Random(vocabulary.label)
    for array in some_arrays(vocabulary, library):
        actions = [(getattr(operator, name), ()) for name in UNARY] + [(conversion, ()) for conversion in CONVERSIONS]
        others = [*ODD_VALUES, *some_arrays(vocabulary, library)]
        actions += [(getattr(operator, n), (v,)) for n in (*BINARY, *COMPARISONS, *IN_PLACE) for v in others]
        actions += [(lambda a, b, n=n: getattr(operator, n)(b, a), (v,)) for n in BINARY for v in others]
        actions += [(operator.setitem, (0, v)) for v in others] + [(operator.setitem, (v, 0)) for v in others]
        actions += [(format, (spec,)) for spec in ("", ".2f", "d", ">10")]
        for action, arguments in actions:
            if unsafe(array, action, arguments) or choose.random() > 3 * SHARE:
                continue
            where = f"{getattr(action, '__name__', action)} of {array.dtype} and {arguments!r:.80}"
            said = frozenset(WORD.findall(f"{arguments!r} {array!r}"))
            try:
                value = action(array, *arguments)
            except Exception as error:
                look_at_error(audit, error, where, said)
            else:
                if isinstance(value, ZWCArray):
                    look_at_value(audit, value, where, said)
    audit.close(capsys, f"operators, {vocabulary.label}, NumPy {np.__version__}")


def unsafe(array, action, arguments):
    """Powers and shifts of Python integers have no bound; NumPy 2.0 writes past the end of repeated text."""
    repeated_text = action is operator.imul and array.dtype.startswith("<U")
    return repeated_text or any(isinstance(value, int) and abs(value) >= HUGE for value in flat(arguments))


# Attributes and names


def test_no_attribute_gives_anything_away(vocabulary, audit, capsys):
    library = open_library(vocabulary)
    array = some_arrays(vocabulary, library)[0]
    vectorized = getattr(library, vocabulary.names["vectorize"])(abs)
    functions = [
        operator.attrgetter(vocabulary.wire_name(i))(library) for i in ("mean", "vectorize", "linalg.inv", "add")
    ]
    for thing in (array, *functions, vectorized):
        audit.look("listings", " ".join(dir(thing)), f"dir({thing!r})", ATTRIBUTES)
        for name in GUESSES:
            where = f"{thing!r}.{name}"
            said = {name, *re.findall(r"\w+", name)}
            try:
                value = getattr(thing, name)
            except AttributeError as error:
                audit.look("messages", str(error), where, said)
                audit.look("messages", repr(error.obj) if error.obj is not None else "", where, said)
            else:
                audit.look("attributes", attribute_text(value), where, REFERENCE_ALLOWED | said)
    audit.close(capsys, f"attributes, {vocabulary.label}")


def attribute_text(value):
    described = f"{value!r} {type(value).__name__} {getattr(value, '__doc__', '')}"
    if type(value).__module__ == "builtins" and not isinstance(value, types.FunctionType | types.MethodType):
        described = repr(value)  # Python's own documentation is Python's
    return described.replace(str(PROJECT), "")


def test_no_function_describes_itself_by_another_name(vocabulary, audit, capsys):
    library = open_library(vocabulary)
    for function_id, name in vocabulary.names.items():
        function = operator.attrgetter(vocabulary.wire_name(function_id))(library)
        for text in (repr(function), str(function), function.__name__, f"{function}", type(function).__name__):
            audit.look("names", text, function_id)
        assert function.__name__ == name
        assert name in repr(function)
        for attribute in ("__qualname__", "__module__", "__doc__", "__text_signature__", "__signature__"):
            audit.look("names", f"{getattr(function, attribute, '')}", f"{function_id}.{attribute}", REFERENCE_ALLOWED)
        try:
            audit.look("signatures", str(inspect.signature(function)), function_id, REFERENCE_ALLOWED)
        except (TypeError, ValueError, AttributeError) as error:
            audit.look("messages", str(error), f"signature of {function_id}")
        audit.look("help", help_of(function), f"help of {function_id}", REFERENCE_ALLOWED)
    audit.close(capsys, f"descriptions, {vocabulary.label}")


def help_of(thing):
    screen = io.StringIO()
    pydoc.Helper(output=screen)(thing)
    return screen.getvalue().replace(str(PROJECT), "")


def test_no_module_gives_anything_away(audit, capsys):
    names = set(Vocabulary.default().names.values())
    for module in (zwc, zwc.rfx):
        listed = " ".join(dir(module))
        audit.look(
            "modules", f"{module.__name__} {module.__doc__} {listed} {module!r}".replace(str(PROJECT), ""), "module"
        )
        assert names.isdisjoint(vars(module))
        assert names.isdisjoint(dir(module))
        for name in ("numpy", "np", "ndarray", "mean", "linalg", "sort", "quvox", "__file__x", "__wrapped__"):
            with pytest.raises(AttributeError) as caught:
                getattr(module, name)
            audit.look("messages", str(caught.value), f"{module.__name__}.{name}", {name})
    for cls in (ZWCArray, _client.Function, _client.Vectorized):
        audit.look("classes", f"{cls!r} {cls.__doc__} {cls.__module__} {' '.join(vars(cls))}", cls.__name__, ATTRIBUTES)
        for name, member in vars(cls).items():
            described = f"{name} {attribute_text(member)} {signature_of(member)}"
            audit.look("classes", described, cls.__name__, REFERENCE_ALLOWED)
    audit.close(capsys, "modules and classes")


def signature_of(member):
    try:
        return str(inspect.signature(member))
    except (TypeError, ValueError):
        return ""


@pytest.mark.parametrize("name", SOLUTION_FILES)
def test_no_file_in_the_sandbox_gives_anything_away(audit, name, capsys):
    for number_of_line, line in enumerate((PROJECT / name).read_text().splitlines(), start=1):
        for match in FORBIDDEN.finditer(line):
            audit.found[("files", match[0])] = f"{name}:{number_of_line}: {line.strip()}"
        audit.looked["lines"] += 1
    audit.close(capsys, f"in the sandbox, {name}")


def test_the_sandbox_shows_the_client():
    """The audit of files follows the sandbox's own list."""
    client = {"zwc/__init__.py", "zwc/_array.py", "zwc/_client.py", "zwc/_wire.py", "zwc/rfx.py"}
    assert {name for name in SOLUTION_FILES if name.startswith("zwc/")} == client


# The reference


PARAMETERS = frozenset(name for entry in catalog.load().values() for name in parameters(entry))
REFERENCE_ALLOWED = REFERENCE_WORDS | PARAMETERS | ATTRIBUTES


def test_no_form_of_the_reference_gives_anything_away(vocabulary, audit, capsys):
    for function_id in vocabulary.names:
        for form in ("text", "markdown", "jsonl", "compact"):
            audit.look(form, reference.render(form, [function_id], vocabulary), function_id, REFERENCE_ALLOWED)
    for name, page in {**reference.general_pages(vocabulary), **reference.markdown_files(vocabulary)}.items():
        audit.look("pages", page, name, REFERENCE_ALLOWED)
    audit.close(capsys, f"reference, {vocabulary.label}")


def test_no_function_id_stands_in_its_own_entry_as_code():
    """Where a function's own name is plain English, its entry still never shows it as a call."""
    vocabulary = Vocabulary.from_seed(21)
    for function_id in vocabulary.names:
        name = function_id.rpartition(".")[2]
        text = reference.render_text([function_id], vocabulary)
        assert not re.search(rf"zwc\.(rfx\.)?{name}\b", text)
        calls = re.findall(rf"(?<![\w.]){name}\(", text)
        assert not calls or name in dir(builtins) or function_id in ("array_repr",), (function_id, calls)


# The audit itself


@pytest.mark.parametrize(
    "text",
    [
        "numpy.ndarray", "np.add", "a ufunc failed", "module numpy.linalg", "argsort failed", "LinAlgError: Singular",
        "use nanmean", "AxisError: axis 3", "an array_like", "concatenate", "broadcast_to",
    ],
)  # fmt: skip
def test_the_audit_sees_leaks(text):
    assert leaks(text)


@pytest.mark.parametrize("text", ["zwc.kocito() takes 1 argument", "the shape of an array", "input", "mean", "snippet"])
def test_the_audit_lets_plain_english_pass(text):
    assert not leaks(text)


def test_the_reference_needs_every_word_that_is_allowed_to_it():
    text = reference.render("markdown", Vocabulary.default().names, Vocabulary.default())
    assert set(WORD.findall(text)) >= REFERENCE_WORDS, REFERENCE_WORDS - set(WORD.findall(text))
    assert REFERENCE_WORDS <= IDENTIFIERS
    assert REFERENCE_WORDS.isdisjoint(PLAIN_WORDS)
