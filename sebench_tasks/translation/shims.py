"""NumPy functions outside the catalog, written with functions inside it.

Each is source in NumPy form; the translator turns it into `zwc` code like any solution and puts it in front of the
answer. They cover the arguments that plain problems pass, not every option of the original.
"""

import ast
import functools
from collections.abc import Mapping

PREFIX = "_shim_"
"""In front of their names where they stand in an answer."""

_ARRAY_HELPERS = """
def tolist(values):
    if not isinstance(values, np.ndarray):
        return values
    return [tolist(item) for item in values] if values.ndim else values[()]

def copy_of(values):
    return np.copy(values) if isinstance(values, np.ndarray) else values.copy()

def sort_in_place(values, *args, **options):
    if isinstance(values, np.ndarray):
        values[...] = np.sort(values, *args, **options)
    else:
        values.sort(*args, **options)

def partition_of(values, *args, **options):
    if not isinstance(values, np.ndarray):
        return values.partition(*args, **options)
    values[...] = np.partition(values, *args, **options)

def dtype_kind(dtype):
    return {"bool": "b", "int": "i", "uint": "u", "float": "f", "complex": "c"}[str(dtype).rstrip("0123456789")]

def issubdtype(dtype, kind):
    kinds = {"integer": "iu", "signedinteger": "i", "unsignedinteger": "u", "floating": "f", "complexfloating": "c",
             "inexact": "fc", "number": "iufc", "bool": "b", "int": "i", "float": "f", "complex": "c"}
    name = kind if isinstance(kind, str) else kind.__name__
    return dtype == name or dtype_kind(dtype) in kinds.get(name, "")

def reduce_by(function, values, axis=0):
    items = list(np.ravel(values) if axis is None else np.moveaxis(np.asarray(values), axis, 0))
    result = items[0]
    for item in items[1:]:
        result = function(result, item)
    return result

def accumulate_by(function, values, axis=0):
    results = []
    for item in np.moveaxis(np.asarray(values), axis, 0):
        results.append(function(results[-1], item) if results else item)
    return np.stack(results, axis=axis)

def outer_by(function, a, b):
    return function(np.reshape(a, tuple(np.shape(a)) + (1,) * len(np.shape(b))), b)

def apply_at(function, values, indices, others=None):
    positions = np.ravel(indices)
    added = np.broadcast_to(0 if others is None else others, np.shape(positions))
    for position, other in zip(positions, added):
        values[position] = function(values[position]) if others is None else function(values[position], other)
"""

_JOINING = """
def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(arr), np.ravel(values)))
    return np.concatenate((arr, values), axis=axis)

def column_stack(tup):
    return np.concatenate([np.reshape(a, (-1, 1)) if len(np.shape(a)) < 2 else a for a in tup], axis=1)

def dstack(tup):
    return np.concatenate([np.atleast_3d(a) for a in tup], axis=2)

def array_split(ary, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, int):
        return np.split(ary, indices_or_sections, axis=axis)
    each, larger = divmod(np.shape(ary)[axis], indices_or_sections)
    lengths = [each + 1] * larger + [each] * (indices_or_sections - larger)
    return np.split(ary, [sum(lengths[: i + 1]) for i in range(len(lengths) - 1)], axis=axis)

def hsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, axis=1 if len(np.shape(ary)) > 1 else 0)

def vsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, axis=0)

def unstack(x, axis=0):
    return tuple(np.moveaxis(x, axis, 0))

def fliplr(m):
    return np.flip(m, axis=1)

def flipud(m):
    return np.flip(m, axis=0)

def sliding_window_view(x, window_shape, axis=None):
    return np.stack([x[i : i + window_shape] for i in range(len(x) - window_shape + 1)])
"""

_SETS = """
def isin(element, test_elements, assume_unique=False, invert=False, kind=None):
    found = np.any(np.equal(np.expand_dims(np.asarray(element), -1), np.ravel(test_elements)), axis=-1)
    return np.logical_not(found) if invert else found

def in1d(ar1, ar2, assume_unique=False, invert=False):
    return isin(np.ravel(ar1), ar2, invert=invert)

def setdiff1d(ar1, ar2, assume_unique=False):
    first = np.ravel(ar1) if assume_unique else np.unique(ar1)
    return first[isin(first, ar2, invert=True)]

def setxor1d(ar1, ar2, assume_unique=False):
    return np.union1d(setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))

def unique_counts(x):
    return np.unique(x, return_counts=True)

def unique_inverse(x):
    return np.unique(x, return_inverse=True)

def trim_zeros(filt, trim="fb"):
    kept = np.nonzero(filt)[0]
    if len(kept) == 0:
        return filt[:0]
    first = kept[0] if "f" in trim.lower() else 0
    last = kept[-1] + 1 if "b" in trim.lower() else len(filt)
    return filt[first:last]
"""

_INDEXING = """
def flatnonzero(a):
    return np.nonzero(np.ravel(a))[0]

def ravel_multi_index(multi_index, dims):
    result = 0
    for index, length in zip(multi_index, dims if isinstance(dims, (list, tuple)) else (dims,)):
        result = np.add(np.multiply(result, length), index)
    return result

def take_along_axis(arr, indices, axis=-1):
    if axis is None:
        return np.ravel(arr)[indices]
    grids = list(np.meshgrid(*[np.arange(n) for n in np.shape(indices)], indexing="ij"))
    grids[axis] = indices
    return np.asarray(arr)[tuple(grids)]

def fill_diagonal(a, val, wrap=False):
    values = np.ravel(val)
    for i in range(min(np.shape(a))):
        a[(i,) * len(np.shape(a))] = values[i % len(values)]

def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim

def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tri(n, m, k))

def triu_indices(n, k=0, m=None):
    return np.nonzero(np.equal(np.tri(n, m, k - 1), 0))

def tril_indices_from(arr, k=0):
    return tril_indices(np.shape(arr)[0], k, np.shape(arr)[1])

def triu_indices_from(arr, k=0):
    return triu_indices(np.shape(arr)[0], k, np.shape(arr)[1])

def indices(dimensions):
    return np.stack(np.meshgrid(*[np.arange(n) for n in dimensions], indexing="ij"))

def ndindex(*shape):
    lengths = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    positions = [()]
    for length in lengths:
        positions = [(*position, i) for position in positions for i in range(length)]
    return positions

def ndenumerate(arr):
    return list(zip(ndindex(tuple(np.shape(arr))), np.ravel(arr)))

def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    moved = np.moveaxis(np.asarray(arr), axis, -1)
    rows = np.reshape(moved, (-1, np.shape(moved)[-1]))
    results = np.stack([np.asarray(func1d(row, *args, **kwargs)) for row in rows])
    shaped = np.reshape(results, tuple(np.shape(moved)[:-1]) + tuple(np.shape(results)[1:]))
    return np.moveaxis(shaped, -1, axis) if len(np.shape(results)) > 1 else shaped
"""

_MISSING_VALUES = """
def nansum(a, axis=None, keepdims=False):
    return np.sum(np.where(np.isnan(a), 0, a), axis=axis, keepdims=keepdims)

def nanprod(a, axis=None, keepdims=False):
    return np.prod(np.where(np.isnan(a), 1, a), axis=axis, keepdims=keepdims)

def nancumsum(a, axis=None):
    return np.cumsum(np.where(np.isnan(a), 0, a), axis=axis)

def nancumprod(a, axis=None):
    return np.cumprod(np.where(np.isnan(a), 1, a), axis=axis)

def nan_counts(a, axis=None, keepdims=False):
    return np.sum(np.logical_not(np.isnan(a)), axis=axis, keepdims=keepdims)

def nanmean(a, axis=None, keepdims=False):
    return np.divide(nansum(a, axis, keepdims), nan_counts(a, axis, keepdims))

def nanvar(a, axis=None, ddof=0, keepdims=False):
    centred = np.subtract(a, nanmean(a, axis, True))
    return np.divide(nansum(np.square(centred), axis, keepdims), np.subtract(nan_counts(a, axis, keepdims), ddof))

def nanstd(a, axis=None, ddof=0, keepdims=False):
    return np.sqrt(nanvar(a, axis, ddof, keepdims))

def nanmax(a, axis=None, keepdims=False):
    result = np.max(np.where(np.isnan(a), -np.inf, a), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, result)

def nanmin(a, axis=None, keepdims=False):
    result = np.min(np.where(np.isnan(a), np.inf, a), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, result)

def nanargmax(a, axis=None):
    return np.argmax(np.where(np.isnan(a), -np.inf, a), axis=axis)

def nanargmin(a, axis=None):
    return np.argmin(np.where(np.isnan(a), np.inf, a), axis=axis)

def known_values(a):
    flat = np.ravel(a)
    return flat[np.logical_not(np.isnan(flat))]

def nanmedian(a, axis=None):
    if axis is None:
        return np.median(known_values(a))
    return apply_along_axis(lambda row: np.median(known_values(row)), axis, a)

def nanpercentile(a, q, axis=None):
    if axis is None:
        return np.percentile(known_values(a), q)
    return apply_along_axis(lambda row: np.percentile(known_values(row), q), axis, a)

def nanquantile(a, q, axis=None):
    return nanpercentile(a, np.multiply(q, 100), axis)
"""

_MATHEMATICS = """
def isscalar(element):
    return isinstance(element, (bool, int, float, complex, str))

def ndim(a):
    return len(np.shape(a))

def iscomplexobj(x):
    return str(np.asarray(x).dtype).startswith("complex")

def isrealobj(x):
    return not iscomplexobj(x)

def iscomplex(x):
    return np.not_equal(np.imag(x), 0)

def isposinf(x):
    return np.equal(x, np.inf)

def isneginf(x):
    return np.equal(x, -np.inf)

def angle(z, deg=False):
    result = np.arctan2(np.imag(z), np.real(z))
    return np.degrees(result) if deg else result

def float_power(x1, x2):
    return np.power(np.asarray(x1, dtype=float), x2)

def msort(a):
    return np.sort(a, axis=0)

def ediff1d(ary):
    return np.diff(np.ravel(ary))

def cumulative_sum(x, axis=None):
    return np.cumsum(x, axis=axis)

def cumulative_prod(x, axis=None):
    return np.cumprod(x, axis=axis)

def fromiter(iter, dtype, count=-1):
    return np.array(list(iter), dtype=dtype)

def fromfunction(function, shape, dtype=float):
    return function(*np.meshgrid(*[np.arange(n, dtype=dtype) for n in shape], indexing="ij"))

def frompyfunc(func, nin, nout):
    return np.vectorize(func)

def asfarray(a):
    return np.asarray(a, dtype=float)

def histogram_bin_edges(a, bins=10, range=None):
    return np.histogram(a, bins, range)[1]

def vander(x, N=None, increasing=False):
    powers = np.arange(len(x) if N is None else N)
    columns = np.power(np.reshape(x, (-1, 1)), powers)
    return columns if increasing else np.flip(columns, axis=1)

def polymul(a1, a2):
    return np.convolve(a1, a2)

def polyadd(a1, a2):
    length = max(len(a1), len(a2))
    return np.add(np.pad(a1, (length - len(a1), 0)), np.pad(a2, (length - len(a2), 0)))

def polysub(a1, a2):
    return polyadd(a1, np.negative(a2))

def polyder(p, m=1):
    for _ in range(m):
        p = np.multiply(p[:-1], np.arange(len(p) - 1, 0, -1))
    return p

def polyint(p, m=1, k=0):
    for _ in range(m):
        p = np.concatenate((np.divide(p, np.arange(len(p), 0, -1)), [k]))
    return p

def poly(seq_of_zeros):
    result = np.array([1.0])
    for zero in seq_of_zeros:
        result = np.convolve(result, np.array([1, -zero]))
    return result
"""

SOURCE = _ARRAY_HELPERS + _JOINING + _SETS + _INDEXING + _MISSING_VALUES + _MATHEMATICS

PATHS: Mapping[str, str] = {"lib.stride_tricks.sliding_window_view": "sliding_window_view"}
"""NumPy paths whose shim has another name than the path."""


@functools.cache
def definitions() -> Mapping[str, ast.FunctionDef]:
    """Shims by name, in source order, still in NumPy form."""
    return {node.name: node for node in ast.parse(SOURCE).body if isinstance(node, ast.FunctionDef)}


def rename_calls(module: ast.Module) -> list[str]:
    """Put the prefix in front of a shim's name and of its calls of shims; return the names of those called."""
    called = []
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            node.name = PREFIX + node.name
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in definitions():
            called.append(node.func.id)
            node.func.id = PREFIX + node.func.id
    return called
