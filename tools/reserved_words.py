"""Write zwc/data/reserved_words.txt: words that a pseudo-name must not be.

    python tools/reserved_words.py /usr/share/dict/american-english-large > zwc/data/reserved_words.txt

Needs NumPy, SciPy and a word list (Debian's wamerican-large, made from SCOWL). Only words of the form of a
pseudo-name are kept. The file is part of what makes vocabularies: changing it changes every seeded vocabulary.
"""

import builtins
import importlib
import keyword
import pkgutil
import re
import sys
from pathlib import Path

FORM = re.compile(r"(?:[bcdfghjklmnpqrstvwxyz][aeiou]){2,3}[bcdfghjklmnpqrstvwxyz]?")


def library_names() -> set[str]:
    names: set[str] = set()
    for package_name in ("numpy", "scipy"):
        package = importlib.import_module(package_name)
        names.update(dir(package))
        for module in pkgutil.iter_modules(package.__path__):
            names.add(module.name)
            if not module.name.startswith("_") and module.name not in ("conftest", "f2py", "tests"):
                names.update(dir(importlib.import_module(f"{package_name}.{module.name}")))
    return names


def main() -> None:
    words = {w.strip().lower() for w in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()}
    words |= library_names() | set(dir(builtins)) | set(keyword.kwlist) | set(sys.stdlib_module_names)
    for word in sorted(w for w in words if FORM.fullmatch(w) and 5 <= len(w) <= 7):
        print(word)


main()
