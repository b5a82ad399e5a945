"""How commands understand the names of functions."""

import difflib
from typing import TYPE_CHECKING

from sebench_tasks.errors import UnknownFunctionError

if TYPE_CHECKING:
    from zwc.vocabulary import Vocabulary

_NEAREST = 3


def function_ids(names: list[str], vocabulary: "Vocabulary") -> list[str]:
    """The ids of functions named by id (`linalg.inv`) or as code has them (`zwc.rfx.kilu`, with or without `zwc.`).

    Raises UnknownFunctionError that names the nearest functions, if there are any.
    """
    known = _spellings(vocabulary)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UnknownFunctionError("\n".join(_complaint(name, known, vocabulary) for name in unknown))
    return [known[name] for name in names]


def _spellings(vocabulary: "Vocabulary") -> dict[str, str]:
    """Function ids by every name that is understood; an id goes before a pseudo-name."""
    by_pseudo_name = {name: i for i in vocabulary.names for name in (vocabulary.qualified(i), vocabulary.wire_name(i))}
    return by_pseudo_name | {i: i for i in vocabulary.names}


def _complaint(name: str, known: dict[str, str], vocabulary: "Vocabulary") -> str:
    nearest = _nearest(name, known)
    if not nearest:
        return f"no such function: {name}; ids look like `linalg.inv`; see `sebench vocabulary show`"
    described = ", ".join(f"{i} ({vocabulary.qualified(i)})" for i in nearest)
    return f"no such function in the vocabulary {vocabulary.label}: {name}; the nearest: {described}"


def _nearest(name: str, known: dict[str, str]) -> list[str]:
    """Ids of the functions whose last part is the same, else of those with a similar name."""
    last = name.rpartition(".")[2]
    same = [spelling for spelling in known if spelling.rpartition(".")[2] == last]
    near = same or difflib.get_close_matches(name, known, _NEAREST)
    return list(dict.fromkeys(known[spelling] for spelling in near))
