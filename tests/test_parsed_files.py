"""The files of a run, and what a process keeps of them."""

from __future__ import annotations

import pytest

from shapecheck.project import parsed_files
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.source import Source
from shapecheck.target import Target


def test_the_files_that_were_read_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [Source(f"{name}.py", "x = 1\n" * 10) for name in "abc"]
    parsed = ParsedFiles(sources, Target())
    first, *_ = [parsed.lowered(source) for source in sources]
    monkeypatch.setattr(parsed_files, "MOST_KEPT", 130)
    parsed.release()
    assert list(parsed.modules) == ["b.py", "c.py"]
    again = parsed.lowered(sources[0])
    assert again is not None
    assert again is not first
