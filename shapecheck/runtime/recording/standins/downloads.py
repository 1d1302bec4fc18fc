"""Stand-in for downloads: a file of the kind that the name indicates is generated."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Final

from shapecheck.runtime.recording.standins.imports import after

WORDS: Final = "the quick brown fox jumps over a lazy dog and then sleeps near the old mill by the river".split()


def begin() -> None:
    after("keras.src.utils.file_utils", "tf_keras.src.utils.data_utils")(_downloading)
    after("urllib.request")(_retrieving)


def _downloading(module: Any) -> None:
    def get_file(fname: str | None = None, origin: str | None = None, *args: Any, **keywords: Any) -> str:
        return made_file(os.path.basename(fname or str(origin)))

    module.get_file = get_file


def _retrieving(module: Any) -> None:
    def urlretrieve(url: str, filename: str | None = None, *args: Any, **keywords: Any) -> tuple[str, Any]:
        target = filename or os.path.join(tempfile.mkdtemp(), os.path.basename(url))
        os.replace(made_file(os.path.basename(url)), target)
        return target, None

    module.urlretrieve = urlretrieve


def made_file(name: str) -> str:
    """Generate a file of this name; raises OSError for other kinds."""
    path = Path(tempfile.mkdtemp(prefix="standin-"), name)
    ending = path.suffix.lower()
    if ending in (".csv", ".data"):
        path.write_text("".join(f"{at % 9},{at % 7},{at % 5},{at % 3}\n" for at in range(200)))
    elif ending in (".txt", ".text", ""):
        lines = (" ".join(WORDS[(at * 7 + word) % len(WORDS)] for word in range(5 + at % 9)) for at in range(3000))
        path.write_text("".join(f"{line}.\n" for line in lines))
    else:
        raise OSError(f"no stand-in for the download of {name}")
    return str(path)
