"""For tests of programs: shapes in comments must be the inferred ones.

    from shapecheck.testing import assert_shapes

    def test_shapes():
        assert_shapes("model.py")

A comment `# reveal: (B, 128)` refers to the outermost tensor in its line, or in the next line if it stands alone; the
dtype may follow the shape.  The program is not run.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

from shapecheck.checker.inspect import Revealed, reveal
from shapecheck.config import Config
from shapecheck.config_files import nearest
from shapecheck.source import read

__all__ = ["assert_shapes", "disagreements"]

_CLAIM = re.compile(r"#\s*reveal:\s*([^#]+)")


def assert_shapes(*paths: str | Path, config: Config | None = None) -> None:
    """Raise AssertionError with one line for each wrong comment `# reveal: SHAPE`, or if there is none."""
    claimed = 0
    wrong: list[str] = []
    for path in paths:
        claims = list(_claims(Path(path)))
        claimed += len(claims)
        wrong += _compare(path, claims, config) if claims else ()
    if not claimed:
        raise AssertionError(f"no comment '# reveal: …' in {', '.join(map(str, paths)) or 'no file'}")
    if wrong:
        raise AssertionError("\n".join(wrong))


def disagreements(path: str | Path, config: Config | None = None) -> list[str]:
    """Return one line for each wrong comment `# reveal: SHAPE` of a file; raises UnreadableSource."""
    return list(_compare(path, list(_claims(Path(path))), config))


def _claims(path: Path) -> Iterator[tuple[int, str]]:
    """Yield row and shape of each comment; one on a line of its own refers to the next row."""
    text = read(path, str(path)).text
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        claim = _CLAIM.search(token.string) if token.type == tokenize.COMMENT else None
        if claim:
            is_alone = not token.line[: token.start[1]].strip()
            yield token.start[0] + is_alone, " ".join(claim[1].split())


def _compare(path: str | Path, claims: Sequence[tuple[int, str]], config: Config | None) -> Iterator[str]:
    found = reveal(path, None, config or nearest([path]))
    for row, claimed in claims:
        tensor = _outermost(found, row)
        known = f"{tensor.shape} {tensor.dtype or ''}".strip() if tensor is not None else ""
        if _bare(claimed) not in (_bare(known), _bare(tensor.shape if tensor is not None else "")):
            yield f"{path}:{row}: claimed {claimed}, " + (f"found {known}" if known else "found no tensor")


def _outermost(found: Sequence[Revealed], row: int) -> Revealed | None:
    here = [item for item in found if item.row <= row <= item.end_row]
    return max(here, key=lambda item: len(item.text), default=None)


def _bare(text: str) -> str:
    return "".join(text.split())
