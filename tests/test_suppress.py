"""Comments that suppress findings, and findings about such comments."""

from __future__ import annotations

import io
import tokenize

import pytest

from shapecheck import ir
from shapecheck.config import Config
from shapecheck.findings import Certainty, Finding, Severity
from shapecheck.source import Place, Source
from shapecheck.suppression.pragmas import apply


def remaining(text: str, config: Config | None = None, is_whole: bool = True) -> list[tuple[str, int]]:
    """Return code and row of the remaining findings when each `bad(...)` of a program is an axis-mismatch."""
    source = Source("x.py", text)
    findings = [_finding(source, at) for at in range(len(text)) if text.startswith("bad(", at)]
    left = apply(findings, {"x.py": _module(source)}, config or Config(), {"x.py": source}, is_whole=is_whole)
    return [(finding.code, finding.place.row) for finding in left]


def _finding(source: Source, at: int) -> Finding:
    place = Place(source, at, source.text.index(")", at) + 1)
    return Finding("SHP101", "axis-mismatch", "mismatch", Severity.ERROR, Certainty.PROVED, place, "it is bad")


def _module(source: Source) -> ir.Module:
    """Statements begin in rows that do not begin with a space or a bracket; `if` has its body in the next row."""
    starts = [
        at for row, at in enumerate(source.line_starts, 1) if source.line(row) and source.line(row)[0] not in " )#"
    ]
    ends = [*starts[1:], len(source.text) + 1]
    body: list[ir.Stmt] = []
    for start, end in zip(starts, ends, strict=True):
        text = source.text[start : end - 1]
        if text.startswith("if "):
            inner = start + text.index("\n    ") + 5
            body.append(ir.If(start, end - 1, ir.Opaque(start, start, ""), (ir.Jump(inner, end - 1, "pass"),), ()))
        else:
            body.append(ir.Jump(start, end - 1, "pass"))
    comments = [
        ir.Comment(source.line_starts[token.start[0] - 1] + token.start[1], token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline)
        if token.type == tokenize.COMMENT
    ]
    return ir.Module(tuple(body), tuple(comments))


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# NOQA: SHP101",
        "# noqa:E501,SHP1",
        "# type: ignore # noqa: SHP101",
        "# shapecheck: ignore[axis-mismatch]",
        "# shapecheck: ignore[SHP101]",
        "#shapecheck:ignore[mismatch]",
    ],
)
def test_silenced(comment: str) -> None:
    assert remaining(f"bad()  {comment}\n") == []


@pytest.mark.parametrize("comment", ["# noqa: E501", "# noqa: S101", "# shapecheck", "# shapecheck: ignored"])
def test_not_silenced(comment: str) -> None:
    assert remaining(f"bad()  {comment}\n") == [("SHP101", 1)]


def test_any_line_of_the_statement_will_do() -> None:
    assert remaining("x = call(\n  bad(),\n  1,\n)  # shapecheck: ignore[axis-mismatch]\n") == []


def test_the_next_statement_will_not() -> None:
    assert remaining("bad()\nx = 1  # noqa\n") == [("SHP101", 1)]


def test_a_compound_statement_ends_with_its_head() -> None:
    assert remaining("if bad():  # noqa\n    x\n") == []
    assert remaining("if bad():\n    x  # noqa\n") == [("SHP101", 1)]


def test_whole_file() -> None:
    assert remaining("# shapecheck: ignore-file[axis-mismatch]\nbad()\nbad()\n") == []


def test_an_unused_name_is_reported() -> None:
    assert remaining("bad()  # shapecheck: ignore[axis-mismatch, rank-mismatch]\n") == [("SHP902", 1)]
    assert remaining("x = 1  # shapecheck: ignore[axis-mismatch]\n") == [("SHP902", 1)]
    assert remaining("# shapecheck: ignore-file[axis-mismatch]\nx = 1\n") == [("SHP902", 1)]
    assert remaining("x = 1  # noqa: SHP101\n") == [("SHP902", 1)]


def test_what_is_meant_for_other_tools_is_theirs() -> None:
    assert remaining("x = 1  # noqa\n") == []
    assert remaining("x = 1  # noqa: E501, S101\n") == []
    assert remaining("x = 1  # noqa: SHP101\n", Config(noqa=False)) == []


def test_reports_about_comments_can_be_silenced_by_name() -> None:
    assert remaining("x = 1  # noqa: SHP101, SHP902\n") == []
    assert remaining("x = 1  # shapecheck: ignore[SHP101, unused-suppression]\n") == []
    assert remaining("# shapecheck: ignore-file[engine]\nx = 1  # shapecheck: ignore\n") == []
    assert remaining("x = 1  # shapecheck: ignore[SHP902]\n") == []


def test_what_callers_elsewhere_may_need_is_not_idle() -> None:
    inside = "def f():\n    x = 1  # noqa: SHP101\n"
    assert remaining(inside) == [("SHP902", 2)]
    assert remaining(inside, is_whole=False) == []
    assert remaining("# shapecheck: ignore-file[SHP1]\nx = 1\n", is_whole=False) == []
    assert remaining("x = 1  # noqa: SHP101\n", is_whole=False) == [("SHP902", 1)]


def test_a_blanket_is_reported_and_works() -> None:
    assert remaining("bad()  # shapecheck: ignore\n") == [("SHP903", 1)]


def test_every_comment_that_fits_is_in_use() -> None:
    assert remaining("bad()  # noqa  # shapecheck: ignore[axis-mismatch]\n") == []


def test_options_hold_beside_comments() -> None:
    assert remaining("bad()\n", Config(ignore=("SHP1",))) == []
    assert remaining("bad()\n", Config(per_file_ignores={"x.py": ("mismatch",)})) == []
    assert remaining("bad()  # noqa\n", Config(noqa=False)) == [("SHP101", 1)]
    assert remaining("x = 1  # shapecheck: ignore[SHP1]\n", Config(ignore=("engine",))) == []
