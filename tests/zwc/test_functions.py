"""All functions: valid calls give what NumPy gives, wrong calls say so, and no memory is handed out as it was."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.zwc.calls import calls
from tests.zwc.mirror import (
    VOCABULARY,
    examples,
    library,
    normal,
    numpy_function,
    outcome,
    to_zwc,
    zwc_function,
)
from zwc import catalog
from zwc._functions import resolve
from zwc._signature import Signature

CALLS = calls()
ELSEWHERE = {"vectorize", "empty", "empty_like"}  # test_client.py, and below
ENTRIES = catalog.load()
some = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


def test_every_function_is_called_in_these_tests():
    assert set(CALLS) | ELSEWHERE == set(ENTRIES)


def compare(function_id, arguments, options):
    """Results and arguments afterwards must be the same; calls that NumPy refuses are refused, and do not count."""
    ours = to_zwc((arguments, options))
    theirs = copy.deepcopy((arguments, options))
    expected = outcome(lambda: numpy_function(function_id)(*theirs[0], **theirs[1]))
    actual = outcome(lambda: zwc_function(function_id)(*ours[0], **ours[1]))
    assert actual == expected
    assume(expected[0] == "value")
    assert normal(list(ours)) == normal(list(theirs))


@pytest.mark.parametrize("function_id", sorted(CALLS))
@some
@given(data=st.data())
def test_valid_calls_give_what_numpy_gives(function_id, data):
    compare(function_id, *data.draw(CALLS[function_id]))


@pytest.mark.parametrize("function_id", sorted(CALLS))
@settings(some, max_examples=4)
@given(data=st.data())
def test_calls_by_keyword_give_what_numpy_gives(function_id, data):
    arguments, options = data.draw(CALLS[function_id])
    if function_id == "arange" and len(arguments) == 1:
        return  # a lone argument is the stop, by position only
    kinds = Signature(ENTRIES[function_id].signature)._parameters.parameters.values()
    named = dict(options)
    positional = list(arguments)
    for parameter in [p for _, p in zip(arguments, kinds, strict=False)][::-1]:
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD or len(positional) == 0:
            break
        if len(positional) > len([p for p in kinds if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]):
            break
        named[parameter.name] = positional.pop()
    if function_id == "reshape" and "shape" in named and not takes(np.reshape, "shape"):
        compare_results(
            function_id, (positional[0], named["shape"]), {"order": named.get("order", "C")}, (positional, named)
        )
        return
    compare(function_id, tuple(positional), named)


def takes(function, name):
    return name in inspect.signature(function).parameters


def compare_results(function_id, arguments, options, call):
    """For a call that NumPy takes in other words."""
    ours = to_zwc(call)
    expected = outcome(lambda: numpy_function(function_id)(*arguments, **options))
    assert outcome(lambda: zwc_function(function_id)(*ours[0], **ours[1])) == expected


# Names in the catalog that some release of NumPy lacks, or has under another name or behind **kwargs.
BY_RELEASE = {
    "start", "shape", "ar", "ar1", "ar2", "weights", "mean", "correction", "copy", "rtol", "stable", "args", "arys",
    "where", "casting", "order", "dtype",
}  # fmt: skip


def test_signatures_hold_numpys_names_in_numpys_order():
    """Where NumPy tells them; the calls by keyword above cover the rest."""
    told = 0
    for function_id, entry in ENTRIES.items():
        try:
            theirs = list(inspect.signature(numpy_function(function_id)).parameters)
        except (ValueError, TypeError):
            continue
        ours = Signature(entry.signature).names
        if theirs[:2] == ["args", "kwargs"] or isinstance(numpy_function(function_id), np.ufunc):
            continue
        told += 1
        assert [name for name in ours if name in theirs] == [name for name in theirs if name in ours], function_id
        assert {*ours} - {*theirs} <= BY_RELEASE, function_id
    assert told > 100


# Wrong calls


def wrong_calls(function_id):
    """Calls that no binding can accept."""
    parameters = Signature(ENTRIES[function_id].signature)._parameters.parameters.values()
    kinds = {p.kind for p in parameters}
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        yield [1] * sum(p.default is p.empty for p in plain), {"unheard_of": 1}
    if inspect.Parameter.VAR_POSITIONAL not in kinds:
        yield [1] * (len(plain) + 1), {}
    if any(p.default is p.empty for p in plain):
        yield [], {}
    twice = [p for p in plain if p.kind is p.POSITIONAL_OR_KEYWORD]
    if twice:
        yield [1] * len(plain), {twice[0].name: 1}


@pytest.mark.parametrize("function_id", sorted(ENTRIES))
def test_a_wrong_call_is_a_type_error_that_speaks_of_the_pseudo_name(function_id):
    session, function = library()._session, zwc_function(function_id)
    for arguments, options in wrong_calls(function_id):
        with pytest.raises(TypeError) as caught:
            function(*arguments, **options)
        assert str(caught.value).startswith(f"{VOCABULARY.names[function_id]}() ")
        assert session.last_fault == (caught.value, "bad_signature")


@pytest.mark.parametrize("function_id", sorted(ENTRIES))
def test_fast_binding_decides_as_inspect_does(function_id):
    signature = Signature(ENTRIES[function_id].signature)
    names = [*signature.names, "unheard_of"]
    for count in range(len(names) + 2):
        for options in ({}, *({name: 1} for name in names), dict.fromkeys(names[:2]), dict.fromkeys(names[-3:-1])):
            if signature._fits(count, options):
                signature._parameters.bind(*[1] * count, **options)


def test_fast_binding_takes_most_calls():
    assert Signature(ENTRIES["mean"].signature)._fits(1, {"axis": 0, "keepdims": True})
    assert all(Signature(e.signature)._fits(1, {}) for i, e in ENTRIES.items() if i in ("sum", "sqrt", "zeros"))


# Results


def test_results_are_python_values(f):
    assert type(f("mean")([1, 2])) is float
    assert type(f("sum")([1, 2])) is int
    assert type(f("any")([1, 2])) is bool
    assert type(f("dot")([1j], [1])) is complex
    assert type(f("max")(f("array")([2**70, 1]))) is int
    assert type(f("array_str")(f("arange")(2))) is str
    assert type(f("linalg.eigh")([[1.0, 0], [0, 2]])) is tuple
    assert type(f("linalg.slogdet")([[1.0, 0], [0, 2]])) is tuple
    assert type(f("split")(f("arange")(2), 2)) is list
    assert f("shape")([[1, 2]]) == (1, 2)
    assert f("copyto")(f("zeros")(2), 1) is None


# Memory


@given(
    st.lists(st.integers(0, 4), max_size=3).map(tuple),
    st.sampled_from(["float64", "int8", "complex128", "bool", "<U3"]),
)
@examples
def test_empty_arrays_are_zeros(shape, dtype):
    dirty()
    for call in (
        lambda make, like: make("empty")(shape, dtype=dtype),
        lambda make, like: make("empty")(shape, dtype, "F"),
        lambda make, like: make("empty_like")(like, dtype=dtype, shape=shape, order="K"),
    ):
        ours = call(zwc_function, [1, 2])
        assert normal(ours) == normal(np.zeros(shape, dtype))


def dirty():
    """Leave something behind in memory that is free again."""
    for size in (8, 32, 64, 256, 1024):
        np.full(size, 7.5).tolist()
        np.full(size, 113, dtype=np.int8).tolist()


UFUNCS = [i for i in sorted(ENTRIES) if "where=True, casting" in ENTRIES[i].signature]


@pytest.mark.parametrize("function_id", UFUNCS)
@settings(some, max_examples=6)
@given(data=st.data(), mask=hnp.arrays("bool", (2, 3)))
def test_a_mask_without_out_leaves_zeros(function_id, data, mask):
    dirty()
    arguments, _ = data.draw(CALLS[function_id])
    whole = np.broadcast_arrays(*arguments, np.zeros((2, 3)))[:-1] if fits(arguments) else None
    if whole is None:
        return
    if function_id == "clip":
        whole = [whole[0], *arguments[1:]]
    with np.errstate(all="ignore"):
        full = numpy_function(function_id)(*whole)
    parts = full if isinstance(full, tuple) else (full,)
    expected = tuple(np.where(mask, part, np.zeros((), part.dtype)) for part in parts)
    ours = zwc_function(function_id)(*to_zwc(list(whole)), where=to_zwc(mask))
    assert normal(ours if isinstance(full, tuple) else (ours,)) == normal(expected)


def fits(arguments):
    try:
        np.broadcast_shapes(*(np.shape(a) for a in arguments), (2, 3))
    except ValueError:
        return False
    return np.broadcast_shapes(*(np.shape(a) for a in arguments), (2, 3)) == (2, 3)


def test_masks_of_every_form(f):
    dirty()
    nan = f("array")([4.0, 9.0])
    assert list(f("sqrt")(nan, where=[True, False])) == [2.0, 0.0]
    assert list(f("sqrt")(nan, None, where=[True, False])) == [2.0, 0.0]
    assert list(f("sqrt")(nan, out=(None,), where=[False, True])) == [0.0, 3.0]
    assert f("sqrt")(4.0, where=False) == 0.0
    assert f("sqrt")(4.0, where=True) == 2.0
    assert normal(f("add")(1, 2, where=[True, False])) == normal(np.array([3, 0]))
    assert normal(f("add")([[1], [2]], 1, where=[[True, False]])) == normal(np.array([[2, 0], [3, 0]]))
    assert list(f("sqrt")(nan, where=False, dtype="float32")) == [0.0, 0.0]
    out = f("full")(2, 5.0)
    assert list(f("sqrt")(nan, out, where=[True, False])) == [2.0, 5.0]
    assert list(f("sqrt")(nan, out=out, where=[False, False])) == list(out) == [2.0, 5.0]


def test_masks_of_functions_with_two_results(f):
    dirty()
    whole, out = f("array")([7.5, 8.5]), f("full")(2, 5.0)
    fraction, number = f("modf")(whole, where=[True, False])
    assert (list(fraction), list(number)) == ([0.5, 0.0], [7.0, 0.0])
    fraction, number = f("modf")(whole, out=(out, None), where=[False, True])
    assert (list(fraction), list(number)) == ([5.0, 0.5], [0.0, 8.0])
    assert f("divmod")(7, 2, where=False) == (0, 0)
    mantissa, exponent = f("frexp")(whole, out=(None, None), where=False)
    assert (list(mantissa), list(exponent)) == ([0.0, 0.0], [0, 0])


def test_masks_over_objects_and_text(f):
    big = f("array")([2**70, 1])
    assert list(f("add")(big, 1, where=[True, False])) == [2**70 + 1, 0]
    assert list(f("add")(big, 1, where=False)) == [0, 0]
    assert f("add")(f("array")(2**70), 1, where=False) == 0


def test_padding_without_values_is_zeros(f):
    dirty()
    for call in (lambda: f("pad")([[1]], 1, "empty"), lambda: f("pad")([[1]], 1, mode="empty")):
        assert normal(call()) == normal(np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]))
    with pytest.raises(ValueError, match=r"."):
        f("pad")([1], 1, "empty", constant_values=3)


def test_the_older_name_of_the_trapezoid_rule_works_on_every_release():
    assert resolve("trapz")([1.0, 3.0]) == 2.0


def test_unknown_functions_of_a_release_are_an_error():
    with pytest.raises(AttributeError):
        resolve("not_a_function")


@pytest.mark.parametrize(("function_id", "out"), [("cumsum", 0.0), ("cumprod", 0.0), ("all", [None]), ("any", [None])])
def test_outputs_that_corrupt_memory_are_refused(function_id: str, out: Any) -> None:
    given = np.array(out)
    with pytest.raises(ValueError, match="given as out"):
        resolve(function_id)([1, 0], out=given)
    with pytest.raises(ValueError, match="given as out"):
        resolve(function_id)([1, 0], None, *((None,) if function_id.startswith("cum") else ()), given)


@pytest.mark.parametrize("function_id", ["linalg.eig", "linalg.eigvals"])
def test_real_eigenvalues_are_real_in_every_release(function_id: str) -> None:
    def values(matrix: Any) -> Any:
        found = resolve(function_id)(matrix)
        return found[0] if function_id == "linalg.eig" else found

    assert values([[2, 0], [0, 3]]).tolist() == [2.0, 3.0]
    assert values([[2, 0], [0, 3]]).dtype == "float64"
    assert values([[0, -2], [2, 0]]).dtype == "complex128"
    assert values([[2 + 0j, 0], [0, 3]]).dtype == "complex128"
