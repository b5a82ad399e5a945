"""The opaque array: a handle of an array that lives in the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from zwc._client import Session

_CHUNK = 1024
_ATTRIBUTES = ("T", "dtype", "ndim", "shape", "size")


class ZWCArray:
    """An n-dimensional array of the library.

    It can be indexed and assigned, iterated, measured by `len`, searched by `in`, and used with arithmetic,
    comparison and bitwise operators. Its attributes are `shape`, `dtype` (text), `size`, `ndim` and `T`; it has no
    methods. Only functions of the library make one.
    """

    __slots__ = ("_dtype", "_handle", "_session", "_shape")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None

    _dtype: str
    _handle: int
    _session: Session
    _shape: tuple[int, ...]

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("ZWCArray cannot be called; arrays come from the functions of zwc")

    @classmethod
    def _new(cls, session: Session, handle: int, shape: tuple[int, ...], dtype: str) -> ZWCArray:
        self = object.__new__(cls)
        self._session, self._handle, self._shape, self._dtype = session, handle, shape, dtype
        return self

    def _in(self, session: Session) -> int:
        if self._session is not session:
            raise TypeError("this array belongs to another library")
        return self._handle

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
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
    def T(self) -> ZWCArray:
        """A view with the axes reversed."""
        return self._ask("transpose")

    def __getattr__(self, name: str) -> NoReturn:
        raise self._session.missing_attribute("'ZWCArray' object", name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ZWCArray.__slots__:
            raise self._session.missing_attribute("'ZWCArray' object", name)
        object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        return list(_ATTRIBUTES)

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
        position = 0
        while position < self._shape[0]:
            writes = self._session.writes
            for item in self._ask("iterate", position, _CHUNK):
                yield item
                position += 1
                if self._session.writes != writes:
                    break

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
        raise TypeError("a ZWCArray works with the functions of zwc only")

    def __array_function__(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a ZWCArray works with the functions of zwc only")


def _unary(operator: str) -> Callable[[ZWCArray], Any]:
    def apply(self: ZWCArray) -> Any:
        return self._session.request("operate", operator, [self])

    return apply


def _binary(operator: str) -> Callable[[ZWCArray, Any], Any]:
    def apply(self: ZWCArray, other: Any) -> Any:
        return self._session.request("operate", operator, [self, other])

    return apply


def _reflected(operator: str) -> Callable[[ZWCArray, Any], Any]:
    def apply(self: ZWCArray, other: Any) -> Any:
        return self._session.request("operate", operator, [other, self])

    return apply


def _in_place(operator: str) -> Callable[[ZWCArray, Any], ZWCArray]:
    def apply(self: ZWCArray, other: Any) -> ZWCArray:
        self._session.writes += 1
        self._session.request("operate", operator, [self, other])
        return self

    return apply


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and", "or", "xor")


def _install_operators() -> None:
    for name in ("neg", "pos", "abs", "invert"):
        setattr(ZWCArray, f"__{name}__", _unary(name))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(ZWCArray, f"__{name}__", _binary(name))
    for name in (*_ARITHMETIC, "divmod"):
        setattr(ZWCArray, f"__{name}__", _binary(name))
        setattr(ZWCArray, f"__r{name}__", _reflected(name))
    for name in _ARITHMETIC:
        setattr(ZWCArray, f"__i{name}__", _in_place(f"i{name}"))


_install_operators()
