"""Completion of words in a shell, by click's protocol."""

from __future__ import annotations

import pytest

from shapecheck.cli.commands import commands


def completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str) -> list[str]:
    """Return what bash offers for the last word of a line."""
    monkeypatch.setenv("_SHAPECHECK_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    with pytest.raises(SystemExit):
        commands.main([], prog_name="shapecheck")
    return [row.partition(",")[2] for row in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("shapecheck expl", {"explain", "expl"}),  # a command, or a path that begins like this
        ("shapecheck --select axis-m", {"axis-mismatch"}),
        ("shapecheck check src --ignore SHP9,shp101", {"SHP9,SHP101"}),
        ("shapecheck src --extend-select patt", {"patterns"}),
        ("shapecheck explain SHP101", {"SHP101"}),
        ("shapecheck rule axis-m", {"axis-mismatch"}),
        ("shapecheck src --output-format js", {"json", "jsonl"}),
    ],
)
def test_words_are_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, offered: set[str]
) -> None:
    assert set(completed(monkeypatch, capsys, line)) == offered
