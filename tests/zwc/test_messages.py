"""Error messages: a builtin exception, the called function's pseudo-name, nothing of NumPy or of other functions."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from tests.zwc.mirror import VOCABULARY, numpy_function, zwc_function
from zwc import catalog
from zwc._messages import gives_away, sanitise

NAMES = frozenset(VOCABULARY.names.values())
ODD = [
    (), (None,), ("text",), ("text", "more"), ([1, 2], "text"), ([[1], [2, 3]],), ([1, 2], [1, 2, 3]), ({"a": 1},),
    (-1, -1),
    ([1j], [2]), ([], []), ([1, 2], 5.5), ([1, 2], [[1]], 9), (2**80, 1), (...,), ([[1, 2]], [[1, 2]], "text"),
    (True, None, []),
    ([1.0, 2], 1, 2, 3, 4), (1e300, "x"), ([None], [None]),
]  # fmt: skip


def failure(call):
    try:
        call()
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("function_id", sorted(VOCABULARY.names))
def test_failures_speak_of_the_called_function_only(function_id):
    own, function = VOCABULARY.names[function_id], zwc_function(function_id)
    failures = [failure(lambda a=arguments: function(*a)) for arguments in ODD]
    failures += [failure(lambda k=key: function([1.0, 2], **{k: "odd"})) for key in ("axis", "dtype", "out", "where")]
    failures += [failure(lambda: function([1.0, 2], [1, 2], axis=7)), failure(lambda: function([[1, 2]], axis=(0, 0)))]
    failures = [error for error in failures if error is not None]
    assert failures
    for error in failures:
        text = str(error)
        assert type(error).__module__ == "builtins"
        assert error.__cause__ is error.__context__ is None
        assert not set(re.findall(r"\w+", text)) & (NAMES - {own})
        assert not gives_away(text.split("() ", 1)[-1]) or text.startswith(f"{own}() ")
        assert "numpy" not in text.lower()
        assert "ufunc" not in text.lower()


@pytest.mark.parametrize(
    "operate",
    [
        lambda a: a + "x", lambda a: a @ 3, lambda a: a % None, lambda a: ~a, lambda a: a << 1.5, lambda a: a[9],
        lambda a: a["x"],
        lambda a: a - [1, 2, 3, 4], lambda a: a.__setitem__(0, "x"), lambda a: a.__setitem__(9, 1),
        lambda a: a[1, 2, 3],
        bool, int, lambda a: len(a[0:1].T) and a[[0, 9]], lambda a: a < "x", lambda a: a.__imatmul__([[1]]),
        lambda a: a.__iadd__(1j), lambda a: a.__ior__(1), lambda a: -(a > 1), lambda a: (a > 1) - (a > 1),
        lambda a: a ** "x",
        lambda a: divmod(a, "x"), lambda a: a[1.5], lambda a: a[[True]], lambda a: a[:, :], lambda a: list(a)[9],
        lambda a: a & 1,
    ],
)  # fmt: skip
def test_failing_operators_name_no_function(operate, f):
    error = failure(lambda: operate(f("array")([1.0, 2.0, 3.0])))
    assert type(error).__module__ == "builtins"
    assert not set(re.findall(r"\w+", str(error))) & NAMES
    assert not gives_away(str(error))


def test_ordinary_mistakes_keep_their_helpful_text(f):
    own = VOCABULARY.names
    three = f("arange")(3)
    for call, kind, text in (
        (lambda: three * [1, 2], ValueError, "operands could not be broadcast together with shapes (3,) (2,) "),
        (lambda: three[5], IndexError, "index 5 is out of bounds for axis 0 with size 3"),
        (lambda: three["x"], IndexError, "only integers, slices (`:`), ellipsis (`...`), `None` and integer or"),
        (lambda: f("mean")(three, axis=3), ValueError, "axis 3 is out of bounds for array of dimension 1"),
        (lambda: f("reshape")(three, (2, 2)), ValueError, "cannot reshape array of size 3 into shape (2,2)"),
        (lambda: f("linalg.inv")([[1.0, 2], [2, 4]]), ValueError, "Singular matrix"),
        (lambda: f("linalg.inv")([[1.0, 2]]), ValueError, "Last 2 dimensions of the array must be square"),
        (lambda: bool(three), ValueError, "bool of an array with 3 elements; it takes exactly one"),
        (lambda: f("matmul")([1, 2], [1, 2, 3]), ValueError, f"{own['matmul']}: Input operand 1 has a mismatch"),
        (lambda: three @ [1], ValueError, "the call: Input operand 1 has a mismatch in its core dimension 0"),
        (lambda: three.__iadd__(0.5), TypeError, "Cannot cast the operation output from float64 to int64"),
        (lambda: f("sqrt")("x"), TypeError, f"{own['sqrt']} not supported for the input types"),
        (lambda: f("zeros")(10**15), MemoryError, "not enough memory for the result"),
        (lambda: f("array")([[1], [2, 3]]), ValueError, "setting an array element with a sequence."),
    ):  # fmt: skip
        with pytest.raises(kind, match=f"^{re.escape(text)}"):
            call()


def test_no_alias_tells_the_name_of_another_function(f):
    """NumPy calls `abs` "absolute" and `divide` "true_divide" in its messages, or the other way round."""
    with pytest.raises(TypeError, match=f"^{VOCABULARY.names['acos']} not supported"):
        f("acos")("x")
    with pytest.raises(TypeError, match=f"^{VOCABULARY.names['arccos']} not supported"):
        f("arccos")("x")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (np.linalg.LinAlgError("Singular matrix"), "ValueError"),
        (np.exceptions.AxisError(3, 1), "ValueError"),
        (np.exceptions.TooHardError("x"), "RuntimeError"),
        (UnicodeDecodeError("utf-8", b"", 0, 1, "x"), "ValueError"),
        (KeyError("mean"), "KeyError"),
        (ModuleNotFoundError("numpy"), "RuntimeError"),
        (RecursionError("deep"), "RecursionError"),
        (NotImplementedError("x"), "NotImplementedError"),
        (SyntaxError("x"), "RuntimeError"),
        (Exception("x"), "RuntimeError"),
    ],
)
def test_exceptions_arrive_as_builtin_ones(error, kind):
    assert sanitise(error, {})[0] == kind


@pytest.mark.parametrize(
    "text",
    [
        "numpy", "use np.where", "NumPy's", "ufunc", "gufunc", "an ndarray", "array_like", "call nanmean instead",
        "linalg",
        "a.any()", "x.sum", "shape(2)", "LinAlgError", "<class 'numpy.dtypes.StrDType'>", "argsort",
    ],
)  # fmt: skip
def test_what_gives_numpy_away(text):
    assert gives_away(text) or text == "array_like"


@pytest.mark.parametrize(
    "text", ["index 5 is out of bounds", "the shape of an array", "int64 and float32", "the mean value"]
)
def test_plain_english_gives_nothing_away(text):
    assert not gives_away(text)


def test_a_message_with_other_functions_is_replaced_whole():
    kind, text = sanitise(ValueError("see numpy.linalg.norm for details"), {"mean": "kocito"})
    assert (kind, text) == ("ValueError", "the arguments have values or shapes that do not fit")
    assert sanitise(TypeError("ufunc 'add' did not"), {"add": "kocito"})[1] == "kocito did not"
    assert sanitise(TypeError("ufunc 'add' did not"), {"mean": "kocito"})[1] == "the operation did not"
    assert sanitise(TypeError("add() got it"), {"add": "kocito"})[1] == "kocito() got it"


def test_the_catalogs_error_kinds_are_those_that_come(f):
    """Errors that NumPy's own class tree leaves open: an axis that is not there is a ValueError everywhere."""
    for function_id, entry in catalog.load().items():
        if "axis=" not in entry.signature or function_id in ("vectorize",):
            continue
        with warnings.catch_warnings(action="ignore"):
            theirs = failure(lambda i=function_id: numpy_function(i)([[1.0, 2], [3, 4]], axis=9))
        if isinstance(theirs, np.exceptions.AxisError):
            ours = failure(lambda i=function_id: zwc_function(i)([[1.0, 2], [3, 4]], axis=9))
            assert type(ours) is ValueError, function_id
