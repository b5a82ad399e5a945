"""ZWCArray against NumPy's array: operators, indexing, iteration, views, conversions; and all that it refuses."""

from __future__ import annotations

import copy
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.zwc.mirror import assert_same, both, examples, normal, outcome, to_zwc, zwc_function
from zwc import ZWCArray

ELEMENTS = {
    "bool": st.booleans(),
    "int64": st.integers(-9, 9),
    "int8": st.integers(-128, 127),
    "uint8": st.integers(0, 255),
    "float64": st.one_of(st.sampled_from([0.0, -0.0, 1.5, -2.0, float("nan"), float("inf")]), st.floats(-9, 9)),
    "float32": st.sampled_from([0.0, -0.5, 0.25, 3.0]),
    "complex128": st.sampled_from([0j, 1 + 2j, -1.5j, complex("nan")]),
}


def arrays(*dtypes, shape=None):
    shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3) if shape is None else shape
    return st.sampled_from(dtypes or sorted(ELEMENTS)).flatmap(
        lambda dtype: hnp.arrays(dtype, shapes, elements=ELEMENTS[dtype])
    )


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-4, 4),
    st.sampled_from([300, -(2**63), 2**64, 2**70, 0.0, 1.5, float("nan"), 2j, "text", None]),
)
NUMBERS = st.one_of(st.booleans(), st.integers(-4, 4), st.sampled_from([0.5, 2j]))
LISTS = st.one_of(st.lists(NUMBERS, max_size=3), st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2)))
OPERANDS = st.one_of(arrays(), SCALARS, LISTS, st.just((1, 2)), st.just(range(3)))

BINARY = [
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and_", "or_", "xor",
    "lt", "le", "gt", "ge", "eq", "ne",
]  # fmt: skip
IN_PLACE = [
    "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul", "ilshift", "irshift", "iand", "ior",
    "ixor",
]  # fmt: skip


def as_operand(value):
    """NumPy takes a range and a tuple as an operand as it takes a list."""
    return list(value) if isinstance(value, range) else value


@pytest.mark.parametrize("name", [*BINARY, "divmod"])
@examples
@given(arrays(), OPERANDS)
def test_binary_operators_on_both_sides(name, array, other):
    apply = divmod if name == "divmod" else getattr(operator, name)
    other = as_operand(other)
    assert_same(apply, array, other)
    if not isinstance(other, str):  # text formats itself with %
        assert_same(lambda a, b: apply(b, a), array, other)


@pytest.mark.parametrize("name", IN_PLACE)
@examples
@given(arrays(), OPERANDS)
def test_in_place_operators_change_the_array_and_every_view(name, array, other):
    apply, other = getattr(operator, name), as_operand(other)

    def change(a, b):
        view = a[...] if a.ndim else a
        changed = apply(a, b)
        return changed is a, changed, view

    assert_same(change, array, other)


@pytest.mark.parametrize("name", IN_PLACE)
@examples
@given(arrays(shape=(2, 2)))
def test_in_place_with_itself_and_with_its_own_view(name, array):
    assert_same(lambda a: getattr(operator, name)(a, a), array)
    assert_same(lambda a: getattr(operator, name)(a, a.T), array)


@pytest.mark.parametrize("name", ["neg", "pos", "abs", "invert"])
@examples
@given(arrays())
def test_unary_operators(name, array):
    assert_same(getattr(operator, name), array)


def test_comparison_chains_and_unequal_shapes():
    assert_same(lambda a, b: a == b, np.arange(3), np.arange(2))
    assert_same(lambda a, b: a != b, np.arange(3), None)
    assert_same(lambda a: a < [1, 1, 1], np.arange(3))
    assert_same(lambda a: a > [1, 1, 1], np.arange(3))


INTEGERS = st.integers(-4, 4)
SLICES = st.builds(
    slice, st.none() | INTEGERS, st.none() | INTEGERS, st.none() | st.sampled_from([-3, -2, -1, 1, 2, 3, 0])
)
INDEX_ARRAYS = st.one_of(
    hnp.arrays("int64", hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3), elements=INTEGERS),
    hnp.arrays("bool", hnp.array_shapes(min_dims=1, max_dims=2, max_side=3)),
    hnp.arrays("float64", (2,), elements=st.just(1.0)),
)
PARTS = st.one_of(
    INTEGERS,
    SLICES,
    st.just(...),
    st.none(),
    st.booleans(),
    st.lists(INTEGERS, max_size=3),
    st.lists(st.booleans(), min_size=1, max_size=3),
    INDEX_ARRAYS,
    st.sampled_from([1.0, "a"]),
)
KEYS = st.one_of(PARTS, st.lists(PARTS, max_size=3).map(tuple))


@examples
@given(arrays(), KEYS)
def test_indexing(array, key):
    assert_same(lambda a, k: a[k], array, key)


@examples
@given(arrays(), KEYS, OPERANDS)
def test_assignment(array, key, value):
    def assign(a, k, v):
        a[k] = v

    assert_same(assign, array, key, as_operand(value))


@examples
@given(arrays(), SLICES)
def test_basic_indexing_gives_views_both_ways(array, part):
    def write(a):
        view = a[part]
        view[...] = 1
        a *= 2
        return view

    assert_same(write, array)


@examples
@given(arrays(shape=(2, 3)))
def test_transposed_views_alias(array):
    def write(a):
        turned = a.T
        turned[0, 1] = 1
        a[0, 0] = 0
        return turned, turned.T, a[::-1].T[1:]

    assert_same(write, array)


def test_a_range_and_a_bool_subclassing_int_index_as_lists_and_ints_do(f):
    array = f("arange")(10)
    assert normal(array[range(2, 5)]) == normal(np.arange(10)[list(range(2, 5))])
    assert array[f("array")(3)] == 3
    assert ([10, 20, 30])[f("array")(1)] == 20


@examples
@given(arrays())
def test_attributes(array):
    ours = to_zwc(array)
    assert (ours.shape, ours.ndim, ours.size) == (array.shape, array.ndim, array.size)
    assert ours.dtype == str(array.dtype)
    assert isinstance(ours.dtype, str)
    assert normal(ours.T) == normal(array.T)
    assert dir(ours) == ["T", "dtype", "ndim", "shape", "size"]


@examples
@given(arrays())
def test_length_and_iteration(array):
    assert_same(len, array)
    assert_same(list, array)
    assert_same(lambda a: [list(part) for part in a], array)
    assert_same(lambda a: list(reversed(a)), array)


@examples
@given(arrays(), st.one_of(NUMBERS, st.none(), arrays(shape=()), LISTS))
def test_membership(array, value):
    assert_same(lambda a, v: v in a, array, value)


@pytest.mark.parametrize("convert", [bool, int, float, complex, operator.index])
@examples
@given(arrays(shape=()))
def test_conversion_of_an_array_without_axes(convert, array):
    assert_same(convert, array)


@pytest.mark.parametrize("convert", [bool, int, float, complex])
@examples
@given(arrays(shape=st.sampled_from([(1,), (1, 1), (1, 1, 1)])))
def test_conversion_of_one_element_with_axes_is_that_of_the_element(convert, array):
    assert outcome(lambda: convert(to_zwc(array))) == outcome(lambda: convert(array.item()))


@pytest.mark.parametrize("convert", [bool, int, float, complex, operator.index])
@pytest.mark.parametrize("shape", [(0,), (2,), (2, 0), (1, 2)])
def test_conversion_of_another_number_of_elements_is_refused(convert, shape, f):
    with pytest.raises(ValueError if convert is bool else TypeError):
        convert(f("zeros")(shape, dtype=int))


@pytest.mark.parametrize("value", [[2**70, 1], [[1], [2, 3]], ["a", "bcd"], [1, "a"], [None, 1], [[], [1]], [1, 2.5]])
def test_unusual_contents(value):
    ours = outcome(lambda: zwc_function("array")(value))
    assert ours == outcome(lambda: np.array(value))


@examples
@given(arrays())
def test_repr_is_the_nested_list(array):
    assert repr(to_zwc(array)) == str(to_zwc(array)) == f"ZWCArray({array.tolist()!r})"


@pytest.mark.parametrize("dtype", ["longdouble", "clongdouble"])
def test_numbers_that_only_numpy_has_show_as_python_numbers(dtype, f):
    array = f("array")([1.5, 2.0], dtype=dtype)
    assert "np" not in repr(array)
    assert array[0] == 1.5
    assert type(array[0]) in (float, complex)
    assert list(array) == [1.5, 2.0]


def test_an_array_inside_an_array_shows_as_a_list(f):
    nested = f("vectorize")(f("arange"), otypes=[object])([1, 2])
    assert repr(nested) == "ZWCArray([[0], [0, 1]])"
    assert nested._ask("plain") == [[0], [0, 1]]


def test_only_functions_make_arrays():
    for arguments in ((), ([1, 2],), (1, 2, 3)):
        with pytest.raises(TypeError, match="arrays come from the functions of zwc"):
            ZWCArray(*arguments)


@pytest.mark.parametrize(
    "name",
    [n for n in dir(np.ndarray) if not n.startswith("__") and n not in ("T", "dtype", "ndim", "shape", "size")]
    + ["foo", "values", "_data", "__array_interface__", "__array_struct__", "__dict__"],
)
def test_any_other_attribute_is_an_attribute_error_and_is_counted(name, fresh, f):
    array = f("arange", fresh)(3)
    with pytest.raises(AttributeError, match=f"'ZWCArray' object has no attribute '{name}'") as caught:
        getattr(array, name)
    assert fresh._session.last_fault == (caught.value, "unknown_attribute")


@pytest.mark.parametrize("name", ["foo", "shape", "dtype", "T", "flat", "_handle", "__class__"])
def test_no_attribute_can_be_set_or_deleted(name, f):
    array = f("arange")(3)
    with pytest.raises(AttributeError):
        setattr(array, name, 1)
    with pytest.raises(AttributeError):
        delattr(array, name)
    assert list(array) == [0, 1, 2]


def test_hash_pickle_and_copy_are_refused(f):
    array = f("arange")(3)
    for attempt in (hash, pickle.dumps, copy.copy, copy.deepcopy, lambda a: {a}, lambda a: copy.deepcopy([a])):
        with pytest.raises(TypeError):
            attempt(array)


@pytest.mark.parametrize(
    "function",
    [
        np.mean, np.array, np.asarray, np.sum, np.sort, np.linalg.norm, np.add.reduce, np.isnan,
        lambda a: np.float64(2) * a, lambda a: np.int64(2) * a, lambda a: np.zeros(3) @ a, lambda a: np.zeros(3) == a,
        lambda a: np.zeros(3).__iadd__(a), lambda a: np.array_equal(a, a), lambda a: np.allclose(a, a),
        lambda a: np.stack([a]), lambda a: np.concatenate([a, a]), lambda a: np.array([a, a]), lambda a: np.add(a, 1),
        lambda a: np.add([1], a), lambda a: np.zeros(3) + a,
        lambda a: np.copyto(np.zeros(3), a), lambda a: np.arange(3)[a],
    ],
)  # fmt: skip
def test_functions_of_numpy_refuse_it(function, f):
    with pytest.raises((TypeError, IndexError)):
        function(f("arange")(3))


def test_numpy_arrays_are_no_input(f):
    for call in (lambda: f("mean")(np.arange(3)), lambda: f("arange")(3) + np.arange(3)):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("length", [3, 2000])
def test_iteration_sees_what_the_loop_changes(length):
    def double_next(a):
        seen = []
        for position, item in enumerate(a):
            seen.append(item)
            if position + 1 < len(a):
                a[position + 1] = item + 2
        return seen

    assert_same(double_next, np.zeros(length, dtype=int))


@pytest.mark.parametrize("change", [
    lambda f, a: f("copyto")(a, 7), lambda f, a: f("put")(a, [2], 9), lambda f, a: f("add")(a, 1, out=a),
    lambda f, a: f("add")(a, 1, a), lambda f, a: f("place")(a, a < 5, [6]), lambda f, a: a.__iadd__(3),
    lambda f, a: f("vectorize")(lambda x: a.__setitem__(slice(None), 4))([1]),
])  # fmt: skip
def test_iteration_sees_every_way_of_writing(change, f):
    array = f("arange")(5)
    seen = []
    for item in array:
        seen.append(item)
        if len(seen) == 2:
            change(f, array)
            after = list(array)
    assert seen == [0, 1, *after[2:]]


def test_iteration_asks_rarely_when_nothing_changes(fresh, f):
    array = f("arange", fresh)(5000)
    requests = []
    link = fresh._session._link
    send = link.send
    link.send = lambda message: (requests.append(message), send(message))
    assert list(array) == list(range(5000))
    assert len(requests) <= 6
    requests.clear()
    sum(f("sqrt", fresh)(item) for item in array)
    assert len(requests) <= 5010


def test_iteration_over_rows_gives_views():
    def scale(a):
        for row in a:
            row[...] = row * 2

    assert_same(scale, np.arange(6).reshape(2, 3))


def test_unpacking_sorting_and_builtins():
    assert_same(lambda a: [*a], np.arange(4))
    for function in (sorted, sum, min, max, set, tuple, any, all, list):
        assert_same(lambda a, function=function: function(a), np.array([3, 1, 2]))


def test_an_array_of_another_library_is_refused(fresh, f):
    with pytest.raises(TypeError, match="another library"):
        f("mean")(f("arange", fresh)(3))


def test_arrays_that_are_gone_leave_the_kernel(fresh, f):
    kernel = fresh._session._link._kernel
    for _ in range(50):
        f("arange", fresh)(100)
    assert len(kernel._arrays) <= 2


def test_a_freed_array_whose_view_lives_is_kept(f):
    view = f("arange")(6)[2:]
    for _ in range(10):
        f("zeros")(6)
    assert list(view) == [2, 3, 4, 5]


def test_both_reports_changes_in_place():
    """The mirror itself must be able to fail."""
    actual, expected = both(lambda a: a.__setitem__(0, 5) if isinstance(a, ZWCArray) else None, np.zeros(1))
    assert actual != expected
