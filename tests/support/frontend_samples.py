"""Real files to test the frontend on: a fixed sample of the standard library and Keras."""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
import warnings
from pathlib import Path

import libcst as cst

from shapecheck.source import Source, UnreadableSource, read
from tests.support.seed import draws

warnings.simplefilter("ignore", SyntaxWarning)


# libcst does not read `(name): annotation`, which the first two try out, nor all of f-strings since PEP 701.
UNREADABLE = {"test_grammar.py", "ann_module.py"} | ({"test_fstring.py"} if sys.version_info >= (3, 12) else set())


def is_reproduced(source: Source) -> bool:
    """Return whether libcst keeps each character: it does not count form feeds, and drops some blanks in f-strings."""
    return "\f" not in source.text and cst.parse_module(source.text).code == source.text


def _files() -> list[Path]:
    root = Path(sysconfig.get_paths()["stdlib"])
    found = sorted(path for path in root.rglob("*.py") if "site-packages" not in path.parts)
    keras = importlib.util.find_spec("keras")
    if keras is not None and keras.origin is not None:
        found += sorted((Path(keras.origin).parent / "src").rglob("*.py"))
    return [
        path
        for path in found
        if "lib2to3" not in path.parts and path.name not in UNREADABLE and path.stat().st_size < 120_000
    ]


def parses(source: Source) -> bool:
    try:
        compile(source.text, source.filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def sample(count: int, seed: int, grammar: bool = True) -> list[Source]:
    """Return a number of files, the same ones for the same seeds; with `grammar` also files with unusual syntax."""
    files = _files()
    names = {"test_patma.py", "test_fstring.py", "test_named_expressions.py", "test_except_star.py"}
    chosen = draws(str(seed)).sample(files, min(count, len(files)))
    if grammar:
        chosen += [path for path in files if path.name in names and path not in chosen]
    sources = []
    for path in chosen:
        try:
            source = read(path)
        except UnreadableSource:
            continue
        if parses(source):
            sources.append(source)
    return sources
