"""Names, star imports, callbacks, threads and broken conversations: the client without regard to what functions do."""

from __future__ import annotations

import copy
import inspect
import math
import pydoc
import shutil
import subprocess
import sys
import textwrap
import threading
import traceback
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import zwc
import zwc.rfx
from tests.zwc.mirror import VOCABULARY, normal
from zwc import ZWCArray, _client
from zwc.kernel import CALLBACK_DEPTH, GUESS_LIMIT, STAR_LIMIT, Kernel, TooManyGuesses
from zwc.library import open_library, signatures
from zwc.vocabulary import Vocabulary

MEAN, ARANGE, ARRAY = VOCABULARY.names["mean"], VOCABULARY.names["arange"], VOCABULARY.names["array"]
INV, NORM = VOCABULARY.names["linalg.inv"], VOCABULARY.names["linalg.norm"]
NAMES = set(VOCABULARY.names.values())
ROOT = str(Path(zwc.__file__).parents[1])


# Names


def test_listings_show_no_function(installed):
    getattr(zwc, MEAN)
    getattr(zwc.rfx, INV)
    for module in (zwc, zwc.rfx):
        seen = {*dir(module), *vars(module), *module.__all__, *vars(type(module))}
        assert not seen & NAMES
    assert dir(zwc) == ["ZWCArray", "rfx"]
    assert zwc.__all__ == zwc.rfx.__all__ == []


def test_all_functions_are_found_in_their_module_only(installed):
    for function_id, name in VOCABULARY.names.items():
        inside, outside = (zwc.rfx, zwc) if function_id.startswith("linalg.") else (zwc, zwc.rfx)
        assert repr(getattr(inside, name)) == f"<function {VOCABULARY.qualified(function_id)}>"
        installed._link._kernel._guesses.clear()
        assert not hasattr(outside, name)


@pytest.mark.parametrize("module", [zwc, zwc.rfx])
@pytest.mark.parametrize(
    "name",
    [
        "mean",
        "sum",
        "foo",
        "kocitu",
        "_np",
        "np",
        "numpy",
        "rfx.mean",
        "Any",
        "annotations_",
        "__wrapped__",
        "\ud800",
        "",
    ],
)
def test_an_unknown_name_is_an_ordinary_attribute_error(module, name, installed):
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    assert str(caught.value) == f"module {module.__name__!r} has no attribute {name!r}"
    assert installed.last_fault == (caught.value, "unknown_function")


def test_no_suggestion_for_a_near_miss(installed):
    getattr(zwc, MEAN)
    for name in (MEAN[:-1], MEAN + "a", "rfy", "ZWCarray"):
        with pytest.raises(AttributeError) as caught:
            getattr(zwc, name)
        shown = "".join(traceback.format_exception_only(caught.value))
        assert shown == f"AttributeError: module 'zwc' has no attribute {name!r}\n"


def test_modules_of_the_package_import_without_a_kernel(monkeypatch):
    monkeypatch.setattr(_client, "_session", None)
    for name in ("catalog", "kernel", "library", "vocabulary", "_client"):
        exec(f"from zwc import {name}", {})
    with pytest.raises(AttributeError):
        zwc._nothing  # noqa: B018
    assert _client._session is None


def test_import_zwc_starts_a_kernel_at_first_use_and_only_once(monkeypatch):
    monkeypatch.setattr(_client, "_session", None)
    found = []
    threads = [threading.Thread(target=lambda: found.append(getattr(zwc, MEAN))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(function._session) for function in found}) == 1
    assert found[0]([1, 3]) == 2.0


def test_import_of_the_client_loads_neither_numpy_nor_names():
    code = (
        "import sys, zwc, zwc.rfx; from zwc import rfx, ZWCArray, _client;"
        "bad = [m for m in sys.modules if 'numpy' in m or m in ('zwc.vocabulary', 'zwc.catalog', 'zwc.library')];"
        "print(bad)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "[]\n"


def test_many_guesses_end_the_run(fresh):
    for number in range(GUESS_LIMIT):
        assert not hasattr(fresh, f"guess{number}")
        assert not hasattr(fresh, f"guess{number}")
    with pytest.raises(TooManyGuesses):
        fresh.one_more  # noqa: B018
    assert getattr(fresh, MEAN)([1, 3]) == 2.0


def test_guesses_are_counted_when_they_hide_in_callbacks(fresh):
    def guess(number):
        for attempt in range(GUESS_LIMIT):
            hasattr(fresh, f"guess{int(number)}x{attempt}")
        return 0

    with pytest.raises(TooManyGuesses):
        getattr(fresh, VOCABULARY.names["vectorize"])(guess)([1, 2])


def test_guesses_in_the_submodule_count_too(fresh):
    for number in range(GUESS_LIMIT):
        hasattr(fresh.rfx if number % 2 else fresh, f"guess{number}")
    with pytest.raises(TooManyGuesses):
        fresh.rfx.one_more  # noqa: B018


# Imports


def run(source):
    space = {}
    exec(compile(source, "solution.py", "exec"), space)
    return space


def test_from_import(installed):
    space = run(
        f"from zwc import {MEAN}, {ARRAY} as make, rfx, ZWCArray\nfrom zwc.rfx import {INV}\nimport zwc.rfx as r"
    )
    assert space[MEAN] is getattr(zwc, MEAN)
    assert space["make"] is getattr(zwc, ARRAY)
    assert space[INV] is getattr(space["r"], INV) is getattr(space["rfx"], INV)
    assert space["ZWCArray"] is ZWCArray


@pytest.mark.parametrize("source", ["from zwc import mean", "from zwc.rfx import inv", f"from zwc import {INV}x"])
def test_from_import_of_an_unknown_name_is_an_import_error(source, installed):
    with pytest.raises(ImportError, match="cannot import name"):
        run(source)


@pytest.mark.parametrize(
    "source",
    [
        f"from zwc import *\nresult = {MEAN}([1, 2, 3])",
        f"from zwc import *\ndef f(x):\n return (lambda y: {MEAN}(y))(x)\nresult = f([1, 2, 3])",
        f"from zwc import *\nclass C:\n def m(self):\n  def g():\n   return {MEAN}([2])\n  return g()\nresult=C().m()",
        f"from zwc import *\nresult = [{MEAN}([x]) for x in (2, 3)][0]",
        f"if True:\n from zwc import *\nresult = {MEAN}({ARANGE}(5))",
        f"exec('from zwc import *\\nresult = {MEAN}([2])')",
        f"import math, zwc\nfrom zwc import *\nresult = zwc.{MEAN}([2])",
        f"from zwc.rfx import *\nresult = {NORM}([0, 2])",
        f"from zwc.rfx import *\nfrom zwc import *\nresult = {MEAN}([{NORM}([0, 2])])",
        f"from zwc import *\nresult = rfx.{NORM}([2]) if isinstance({ARANGE}(2), ZWCArray) else None",
    ],
)
def test_star_import_brings_exactly_what_the_source_spells(source, installed):
    space = run(source)
    assert space["result"] == 2.0
    brought = {name for name in space if isinstance(space[name], _client.Function)}
    assert brought == {name for name in (MEAN, ARANGE, NORM) if name in source and name in brought}
    assert brought <= NAMES
    assert brought or "exec" not in source


def test_star_import_brings_nothing_that_is_not_spelled(installed):
    space = run("from zwc import *\nfrom zwc.rfx import *\nx = [y for y in (1, 2)]")
    assert sorted(name for name in space if not name.startswith("__")) == ["x"]
    assert set(run(f"from zwc import *\n{MEAN}")) == {MEAN, "__builtins__"}
    assert MEAN not in run(f"from zwc import *\nx = '{MEAN}'")
    assert INV not in run(f"from zwc import *\ntry:\n {INV}\nexcept NameError: pass")


def test_star_import_needs_no_question_per_name(installed):
    requests = []
    link, send = installed._link, installed._link.send
    link.send = lambda message: (requests.append(message[0]), send(message))
    run(f"from zwc import *\n{MEAN}; {ARANGE}; {ARRAY}")
    assert requests == ["find_many"]


def test_unknown_names_in_star_imports_are_no_guesses_but_bounded(installed):
    run("from zwc import *\n" + "; ".join(f"name{n} = 1" for n in range(GUESS_LIMIT * 2)))
    assert not installed._link._kernel._guesses
    with pytest.raises(TooManyGuesses):
        run("from zwc import *\n" + "; ".join(f"name{n} = 1" for n in range(STAR_LIMIT)))


def test_all_tells_nobody_else_a_name(installed):
    source = (
        f"import zwc, zwc.rfx\n{MEAN} = {INV} = 1\nseen = [*zwc.__all__, *zwc.rfx.__all__, *getattr(zwc, '__all__')]"
    )
    assert run(source)["seen"] == []


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_star_imports_on_other_pythons(version):
    """The client alone, with a kernel that knows one name: NumPy need not be there."""
    python = other_python(version)
    code = """
from zwc import _client
class Link:
    def send(self, message):
        known = {"kocito", "rfx.quvohe"}
        self.reply = [n in known for n in message[2]] if message[0] == "find_many" else message[2] in known
    def receive(self): return ["ok", self.reply]
_client.install(_client.Session(Link()))
space = {}
exec("from zwc import *\\nfrom zwc.rfx import *\\ndef f():\\n return kocito, quvohe, other", space)
print(sorted(n for n in space if n[0] != "_"))
import traceback
try:
    import zwc
    zwc.kocita
except AttributeError as error:
    print("".join(traceback.format_exception_only(error)).strip())
"""
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": ROOT}, check=False)
    expected = "['f', 'kocito', 'quvohe']\nAttributeError: module 'zwc' has no attribute 'kocita'\n"
    assert (done.stdout, done.stderr) == (expected, "")


def other_python(version):
    """An interpreter of that version, where one is installed."""
    kept = [str(path) for path in Path.home().glob(f".pyenv/versions/{version}*/bin/python")]
    found = next(iter(kept), None) or shutil.which(f"python{version}")
    if found is None:
        pytest.skip(f"Python {version} is not installed")
    return found


# What a function shows


def test_a_function_shows_its_name_and_nothing_else(installed):
    function = getattr(zwc, MEAN)
    assert (function.__name__, function.__qualname__, repr(function)) == (MEAN, MEAN, f"<function zwc.{MEAN}>")
    assert repr(getattr(zwc.rfx, INV)) == f"<function zwc.rfx.{INV}>"
    assert getattr(zwc, MEAN) is function
    assert list(inspect.signature(function).parameters) == ["arguments", "options"]
    assert function.__module__ == "zwc"
    with pytest.raises(AttributeError) as caught:
        function.reduce  # noqa: B018
    assert str(caught.value) == f"function zwc.{MEAN} has no attribute 'reduce'"
    assert installed.last_fault == (caught.value, "unknown_attribute")
    assert copy.deepcopy({"f": function})["f"] is function


def test_help_shows_the_reference_in_this_process_and_nothing_without_one(installed):
    function = getattr(zwc, MEAN)
    assert f"zwc.{MEAN}(" in function.__doc__
    assert textwrap.indent(function.__doc__.strip(), "    ") in pydoc.render_doc(function, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    assert _client.Function(_client.Session(None), MEAN).__doc__ is None


def test_two_libraries_side_by_side():
    left, right = open_library(VOCABULARY), open_library(Vocabulary.from_seed(1))
    name = Vocabulary.from_seed(1).names["mean"]
    assert getattr(left, MEAN)([1, 3]) == getattr(right, name)([1, 3]) == 2.0
    with pytest.raises(AttributeError):
        getattr(right, MEAN)
    assert left.ZWCArray is right.ZWCArray is ZWCArray


def test_no_warning_is_heard_and_the_callers_settings_stay(f, recwarn):
    before = np.geterr()
    assert math.isnan(f("mean")([]))
    f("sqrt")([-1.0])
    f("divide")(1, 0)
    assert not recwarn.list
    assert np.geterr() == before


# What crosses


class Whole(int):
    pass


class Words(list):
    pass


@pytest.mark.parametrize(
    "value", [Whole(3), Words([1, 2]), range(4), (1, 2), np.float64(1.5), True, 2**65, {1: 2}, None]
)
def test_python_values_cross(value, f):
    value_in_numpy = list(value) if isinstance(value, Words | range) else value
    assert normal(f("array")(value)) == normal(np.array(value_in_numpy))


@pytest.mark.parametrize("value", [b"x", object(), Fraction(1, 2), iter([1]), (x for x in ()), np.int64(1), sys])
def test_what_cannot_cross_is_a_type_error_that_says_what_can(value, f):
    with pytest.raises(TypeError, match="zwc takes numbers, text, lists, tuples, ranges and arrays, not"):
        f("mean")([value])


@pytest.mark.parametrize("kind", [bool, int, float, complex, object, str])
def test_types_name_element_types(kind, f):
    assert f("zeros")(2, dtype=kind).dtype == str(np.zeros(2, dtype=kind).dtype)


def test_a_list_that_contains_itself(f):
    value = []
    value.append(value)
    with pytest.raises(RecursionError):
        f("mean")(value)
    assert f("mean")([1, 3]) == 2.0


# Callbacks


def test_vectorize(f):
    double = f("vectorize")(lambda x, y=1: x * 2 + y)
    assert normal(double([1, 2])) == normal(np.array([3, 5]))
    assert normal(double([1, 2], y=[10, 20])) == normal(np.array([12, 24]))
    assert repr(double) == "<vectorized function>"
    assert normal(f("vectorize")(math.sqrt)([4.0])) == normal(np.array([2.0]))
    assert normal(f("vectorize")(float, otypes=[float])([1, 2])) == normal(np.array([1.0, 2.0]))
    assert normal(f("vectorize")(lambda x, y: x + y, excluded=[1])([1, 2], 3)) == normal(np.array([4, 5]))
    assert normal(f("vectorize")(lambda x, k: x + k, excluded={"k"})([1, 2], k=3)) == normal(np.array([4, 5]))
    inner = f("vectorize")(f("dot"), signature="(n),(n)->()")
    assert normal(inner([[1, 2], [3, 4]], [1, 1])) == normal(np.array([3, 7]))
    decorated = f("vectorize")(otypes=[float])(lambda x: x + 1)
    assert normal(decorated([1])) == normal(np.array([2.0]))


def test_vectorize_takes_functions_of_the_library_and_vectorized_ones(f):
    assert normal(f("vectorize")(f("sqrt"))([4.0])) == normal(np.array([2.0]))
    twice = f("vectorize")(lambda x: 2 * x)
    assert normal(f("vectorize")(twice)([1, 2])) == normal(np.array([2, 4]))


def test_a_class_is_a_callback_too(f):
    class Pair:
        def __new__(cls, x):
            return x + 0.5

    class int:  # noqa: A001, N801
        def __new__(cls, x):
            return 7

    assert normal(f("vectorize")(Pair)([1, 2])) == normal(np.array([1.5, 2.5]))
    assert normal(f("vectorize")(int)([1, 2])) == normal(np.array([7, 7]))


def test_piecewise(f):
    def mine(piecewise, array):
        x = array([-2.0, 0.0, 3.0])
        return piecewise(x, [x < 0, x > 0], [lambda v: -v, lambda v, s=1: v * s, 9.0])

    assert normal(mine(f("piecewise"), f("array"))) == normal(mine(np.piecewise, np.array))
    x = f("array")([1.0, 2.0])
    assert list(f("piecewise")(x, [x > 1], [lambda v, k, m: v * k + m, 0], 10, m=1)) == [0.0, 21.0]


def test_array2string_with_formatters(f):
    format_all = {"float_kind": lambda v: f"<{v:.1f}>", "int": hex}
    for values in ([1.25, 2.0], [1, 255]):
        ours = f("array2string")(f("array")(values), formatter=format_all)
        assert ours == np.array2string(np.array(values), formatter=format_all)


def test_pad_with_a_function_writes_through_the_array_it_gets(f):
    def fill(vector, widths, axis, options):
        vector[: widths[0]] = options["value"]
        vector[len(vector) - widths[1] :] = -1

    ours = f("pad")([[1, 2], [3, 4]], 1, fill, value=7)
    assert normal(ours) == normal(np.pad([[1, 2], [3, 4]], 1, fill, value=7))


class Stop(BaseException):
    pass


@pytest.mark.parametrize(
    "kind", [ValueError, KeyError, Stop, SystemExit, KeyboardInterrupt, StopIteration, MemoryError]
)
def test_a_callbacks_exception_comes_out_as_the_same_object(kind, f):
    error = kind("mine")

    def fail(x):
        raise error

    for call in (
        lambda: f("vectorize")(fail)([1]),
        lambda: f("piecewise")([1.0], [[True]], [fail]),
        lambda: f("array2string")(f("array")([1.0]), formatter={"float_kind": fail}),
        lambda: f("vectorize")(lambda x: f("vectorize")(fail)([x]))([1]),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert caught.value is error
    assert f("mean")([1, 3]) == 2.0


def test_a_callback_may_catch_what_a_nested_call_raises(f):
    def careful(x):
        try:
            return f("reshape")([1, 2, 3], (2, 2))
        except ValueError:
            return -1

    assert list(f("vectorize")(careful)([1, 2])) == [-1, -1]


def test_callbacks_use_the_library_and_change_its_arrays(f):
    total = f("zeros")(2)

    def add(x):
        total[0] += x
        total[1] = f("sum")(total)
        return float(total[1])

    assert list(f("vectorize")(add, otypes=[float])([1, 2, 3])) == [1.0, 4.0, 10.0]
    assert list(total) == [6.0, 10.0]


def test_callbacks_nest_up_to_a_limit(f):
    def descend(n):
        return 0 if n <= 0 else 1 + int(f("vectorize")(descend)([n - 1])[0])

    assert list(f("vectorize")(descend)([5])) == [5]
    sys_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        with pytest.raises(RecursionError):
            f("vectorize")(descend)([CALLBACK_DEPTH + 1])
    finally:
        sys.setrecursionlimit(sys_limit)
    with pytest.raises(RecursionError):
        f("vectorize")(descend)([10**6])
    assert f("mean")([1, 3]) == 2.0


def test_a_callbacks_odd_results(f):
    with pytest.raises(TypeError, match="zwc takes"):
        f("vectorize")(lambda x: object())([1])
    assert f("vectorize")(lambda x: None)([1])[0] is None
    marker = lambda: 0  # noqa: E731
    assert f("vectorize")(lambda x: marker, otypes=["O"])([1])[0] is marker


def test_recursion_to_the_limit_leaves_the_conversation_in_order(f):
    def descend(x):
        return descend(f("add")(x, 1))

    for _ in range(3):
        with pytest.raises(RecursionError):
            descend(0)
        assert f("mean")([1, 3]) == 2.0


def test_threads_share_a_session(fresh, f):
    wrong = []

    def work(number):
        double = f("vectorize", fresh)(lambda x: x + int(f("sum", fresh)([number])))
        array = f("arange", fresh)(50) * number
        for _ in range(20):
            found = f("sum", fresh)(array), [*array[:2]], [*double([1])]
            if found != (1225 * number, [0, number], [1 + number]):
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not wrong


# Conversations that break


class TornLink:
    """Loses its patience once, between sending and receiving."""

    def __init__(self, error):
        self.error, self.kernel, self.replies = error, Kernel(signatures(VOCABULARY)), []

    def send(self, message):
        self.replies.append(self.kernel.answer(message))

    def receive(self):
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return self.replies.pop(0)


def test_a_call_that_was_cut_short_ends_the_conversation_instead_of_shifting_it():
    session = _client.Session(TornLink(TimeoutError("alarm")))
    with pytest.raises(TimeoutError):
        session.find(MEAN)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="zwc stopped: an earlier call was cut short"):
            session.find(ARANGE)


def test_an_interrupt_while_the_kernel_computes_in_this_process_is_harmless(fresh, monkeypatch):
    link = fresh._session._link

    def interrupted(message):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(link, "send", interrupted)
        with pytest.raises(KeyboardInterrupt):
            getattr(fresh, MEAN)
    assert getattr(fresh, MEAN)([1, 3]) == 2.0


# A client that lies to the kernel


@pytest.fixture
def kernel():
    return Kernel(signatures(VOCABULARY))


@pytest.mark.parametrize(
    "message",
    [
        ["operate", [], "methodcaller", ["tolist"]], ["operate", [], "attrgetter", ["__class__"]],
        ["operate", [], "itemgetter", [0]], ["operate", [], "call", [{"y": "int"}]], ["operate", [], "__add__", [1, 2]],
        ["operate", [], "setitem", [1]], ["invoke", [], 1, [], {"d": []}],
        ["invoke", [], {"y": "object"}, [], {"d": []}],
        ["call", [], "mean", [[1]], {"d": []}], ["call", [], MEAN, None, None], ["call", [], MEAN, [[1]], []],
        ["call", [], MEAN, [[1]], {"d": [[1, 2]]}], ["call", [], [], [], {"d": []}], ["call"], [], ["nothing", []],
        ["find", []], ["find", [], [1]], ["get", [], {"a": 99}, 0], ["get", [], {"a": [1]}, 0],
        ["get", [], {"y": "eval"}, 0],
        ["transpose", [], {"y": "int"}], ["convert", [], 1, "eval"], ["text", [], {"y": "object"}],
        ["set", [], 1, 2, 3],
        ["iterate", [], [1], 0, 9], [["call"], []], ["get", None, 1, 2], ["get", [[]], 1, 2], ["plain", [], {"k": 0}],
        ["find_many", [], 5], ["call", [], MEAN, [{"k": 1}], {"d": []}], ["return", [], 1],
        ["get", [], {"s": [1, 2]}, 0],
        ["contains", [], {"q": 1}, 1], ["call", [], MEAN, [{"z": [[]]}], {"d": []}], 5, None, "call", {"t": []},
    ],
)  # fmt: skip
def test_a_malformed_message_is_answered_by_an_error_that_says_nothing(message, kernel):
    reply = kernel.answer(message)
    assert reply[0] == "error"
    assert reply[1] in ("TypeError", "ValueError", "KeyError", "AttributeError", "IndexError", "RecursionError")
    assert "np" not in str(reply[2]).split()
    assert kernel.answer(["call", [], MEAN, [[1, 3]], {"d": []}]) == ["ok", 2.0]


def test_the_kernel_hands_out_no_callable_but_vectorized_ones(kernel):
    make = ["call", [], ARRAY, [[{"y": "int"}, {"y": "object"}]], {"d": [["dtype", {"y": "object"}]]}]
    status, encoded = kernel.answer(make)
    assert status == "ok"
    assert kernel.answer(["get", [], {"a": encoded["a"][0]}, 0])[0] == "error"
    assert not kernel._callables


def test_callbacks_without_a_client_are_an_error(kernel):
    name = VOCABULARY.names["vectorize"]
    status, made = kernel.answer(["call", [], name, [{"k": 0}], {"d": []}])
    assert status == "ok"
    assert kernel.answer(["invoke", [], made["f"], [[1]], {"d": []}])[1] == "RecursionError"
