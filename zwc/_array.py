"""The opaque array: a handle of an array that lives in the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from zwc._client import Session

_CHUNK = 1024
_REFUSAL = "a ZWCArray works with the functions of zwc only"

# Factories of operator methods: the method asks the kernel for the operator of that name.
_Unary = Callable[["ZWCArray"], Any]
_Binary = Callable[["ZWCArray", Any], Any]


def _unary(operator: str) -> _Unary:
    def apply(self: ZWCArray) -> Any:
        return self._session.request("operate", operator, [self])

    return apply


def _binary(operator: str) -> _Binary:
    def apply(self: ZWCArray, other: Any) -> Any:
        return self._session.request("operate", operator, [self, other])

    return apply


def _both(operator: str) -> tuple[_Binary, _Binary]:
    """The plain and the reflected method."""

    def reflected(self: ZWCArray, other: Any) -> Any:
        return self._session.request("operate", operator, [other, self])

    return _binary(operator), reflected


def _all(operator: str) -> tuple[_Binary, _Binary, _Binary]:
    """The plain, the reflected and the in-place method."""

    def in_place(self: ZWCArray, other: Any) -> Any:
        self._session.writes += 1
        self._session.request("operate", f"i{operator}", [self, other])
        return self

    return *_both(operator), in_place


class ZWCArray:
    """An n-dimensional array of the library.

    It can be indexed and assigned, iterated, measured by `len`, searched by `in`, and used with arithmetic,
    comparison and bitwise operators. Its attributes are `shape`, `dtype` (text), `size`, `ndim` and `T`; it has no
    methods. Only functions of the library make one.
    """

    __slots__ = ("_dtype", "_handle", "_session", "_shape")
    __hash__ = None  # type: ignore[assignment]

    _dtype: str
    _handle: int
    _session: Session
    _shape: tuple[int, ...]

    def __new__(cls, *_: Any, **__: Any) -> ZWCArray:
        raise TypeError("ZWCArray cannot be called; arrays come from the functions of zwc")

    @classmethod
    def _new(cls, session: Session, handle: int, shape: tuple[int, ...], dtype: str) -> ZWCArray:
        self = object.__new__(cls)
        put = object.__setattr__
        put(self, "_session", session)
        put(self, "_shape", shape)
        put(self, "_dtype", dtype)
        put(self, "_handle", handle)
        return self

    def _in(self, session: Session) -> int:
        if self._session is not session:
            raise TypeError("this array belongs to another library")
        return self._handle

    def __del__(self) -> None:
        self._session.release(self._handle)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length along each axis."""
        return self._shape

    @property
    def dtype(self) -> str:
        """Element type as text, such as "int64"."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        product = 1
        for length in self._shape:
            product *= length
        return product

    @property
    def T(self) -> Any:
        """A view with the axes reversed."""
        return self._ask("transpose")

    def __getattr__(self, name: str) -> NoReturn:
        if name in ZWCArray.__slots__:
            raise AttributeError(name)
        raise self._session.missing_attribute(f"'ZWCArray' object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise self._session.missing_attribute(f"'ZWCArray' object has no attribute {name!r} that can be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise self._session.missing_attribute(f"'ZWCArray' object has no attribute {name!r} that can be deleted")

    def __dir__(self) -> list[str]:
        return ["T", "dtype", "ndim", "shape", "size"]

    def _ask(self, action: str, *content: Any) -> Any:
        return self._session.request(action, self, *content)

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of an array without axes")
        return self._shape[0]

    def __getitem__(self, key: Any) -> Any:
        return self._ask("get", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._session.writes += 1
        self._ask("set", key, value)

    def __iter__(self) -> Iterator[Any]:
        if not self._shape:
            raise TypeError("cannot iterate over an array without axes")
        return self._walk()

    def _walk(self) -> Iterator[Any]:
        """Items fetched ahead, but one at a time while the loop's body may be changing arrays."""
        position, count = 0, _CHUNK
        while position < self._shape[0]:
            writes = self._session.writes
            for item in self._ask("iterate", position, count):
                yield item
                position += 1
                if self._session.writes != writes:
                    count = 1
                    break
            else:
                count = min(2 * count, _CHUNK)

    def __contains__(self, value: Any) -> bool:
        return bool(self._ask("contains", value))

    def __bool__(self) -> bool:
        return bool(self._ask("convert", "bool"))

    def __int__(self) -> int:
        return int(self._ask("convert", "int"))

    def __float__(self) -> float:
        return float(self._ask("convert", "float"))

    def __complex__(self) -> complex:
        return complex(self._ask("convert", "complex"))

    def __index__(self) -> int:
        return int(self._ask("convert", "index"))

    def __repr__(self) -> str:
        return str(self._ask("text"))

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a ZWCArray cannot be pickled or copied this way; use a function of zwc")

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(_REFUSAL)

    def __array_function__(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(_REFUSAL)

    __neg__ = _unary("neg")
    __pos__ = _unary("pos")
    __abs__ = _unary("abs")
    __invert__ = _unary("invert")

    __lt__ = _binary("lt")
    __le__ = _binary("le")
    __gt__ = _binary("gt")
    __ge__ = _binary("ge")
    __eq__ = _binary("eq")
    __ne__ = _binary("ne")

    __divmod__, __rdivmod__ = _both("divmod")
    __add__, __radd__, __iadd__ = _all("add")
    __sub__, __rsub__, __isub__ = _all("sub")
    __mul__, __rmul__, __imul__ = _all("mul")
    __truediv__, __rtruediv__, __itruediv__ = _all("truediv")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _all("floordiv")
    __mod__, __rmod__, __imod__ = _all("mod")
    __pow__, __rpow__, __ipow__ = _all("pow")
    __matmul__, __rmatmul__, __imatmul__ = _all("matmul")
    __lshift__, __rlshift__, __ilshift__ = _all("lshift")
    __rshift__, __rrshift__, __irshift__ = _all("rshift")
    __and__, __rand__, __iand__ = _all("and")
    __or__, __ror__, __ior__ = _all("or")
    __xor__, __rxor__, __ixor__ = _all("xor")
