"""What an edit cannot affect is not traced again, and what is known then is what a fresh check finds."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shapecheck.checker.pipeline import check
from shapecheck.checker.versions import Following, Versions
from shapecheck.config import Config
from shapecheck.findings import Finding
from shapecheck.python_syntax import module_of
from shapecheck.source import Source

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = sorted((ROOT / "corpus" / "bugs").rglob("buggy.py"))
CODE = """import numpy as np

x = np.zeros((2, 3))
y = np.ones((4, 5))
z = x @ y
"""


def found(text: str, versions: Versions | None = None, name: str = "program.py") -> list[Finding]:
    return check(["-"], Config(stdin_filename=name), stdin=text, following=Following(versions=versions)).findings


def texts(text: str, chosen: random.Random) -> Iterator[str]:
    """Yield texts that follow each other as a program is edited."""
    for _ in range(4):
        lines = text.split("\n")
        row = chosen.randrange(len(lines))
        match chosen.choice(("comment", "row", "spaces", "strip", "number", "join")):
            case "comment":
                lines[row] += "  # (3, 4), a session"
            case "row":
                lines.insert(row, "")
            case "spaces":
                lines[row] = lines[row].replace("=", "= ")
            case "strip":
                lines[row] = re.sub("#.*", "", lines[row])
            case "number":
                lines[row] = re.sub(r"\d", "2", lines[row], count=1)
            case "join":
                lines[row : row + 2] = ["".join(lines[row : row + 2])]
        after = "\n".join(lines)
        if module_of(after) is not None:
            text = after
            yield text


@pytest.mark.parametrize("program", random.Random(11).sample(PROGRAMS, 25), ids=lambda path: path.parent.name)
def test_a_later_version_has_the_findings_of_a_fresh_check(program: Path) -> None:
    versions, text = Versions(), program.read_text(encoding="utf-8")
    found(text, versions, str(program))
    for after in texts(text, random.Random(text)):
        assert found(after, versions, str(program)) == found(after, None, str(program))


def is_traced(before: str, after: str) -> bool:
    versions = Versions()
    found(before, versions)
    last = versions._last
    found(after, versions)
    return versions._last is not last


@pytest.mark.parametrize(
    ("after", "is_affected"),
    [
        (CODE + "# done\n", False),
        (CODE.replace("x = np", "\nx =  np"), False),
        (CODE.replace("(2, 3)", "(2, 4)"), True),
        (CODE.replace("x @ y", "x @ y  # (2, 5)"), True),
        (CODE + "# tensorflow==1.4\nimport tensorflow as tf\n", True),
        (CODE.replace("x @ y", "x @ "), False),
    ],
)
def test_what_is_traced_again(after: str, is_affected: bool) -> None:
    assert is_traced(CODE, after) is is_affected


def test_what_is_found_in_unchanged_lines_stays_while_a_text_does_not_parse() -> None:
    versions = Versions()
    (before,) = found(CODE, versions)
    error, after = sorted(
        found(CODE.replace("import numpy as np\n", "import numpy as np\nprint(\n"), versions), key=row
    )
    assert (error.name, after.message) == ("syntax-error", before.message)
    assert (row(after), row(before)) == (6, 5)
    assert [each.name for each in found(CODE.replace("x @ y", "x @ y)"), versions)] == ["syntax-error"]


def row(finding: Finding) -> int:
    return finding.place.row


def test_values_are_those_of_the_same_expressions() -> None:
    versions = Versions()
    found(CODE, versions)
    for text in (CODE.replace("y = np", "print(\ny = np"), CODE.replace("x @ y", "x @ y)"), "#\n" + CODE):
        found(text, versions)
        source = Source("program.py", text)
        values = versions.values(source)
        assert {text[start:end] for start, end in values} <= {CODE[start:end] for start, end in versions._last.values}
        assert any(text[start:end] == "x" for start, end in values)


def test_a_long_program_is_told_in_two_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapecheck.checker.versions.LONG", 0)
    text = f"{CODE}\ndef unused():\n    for i in range(9):\n        z = np.zeros((2, 3)) @ np.zeros((6, 7))\n"
    told: list[list[Finding]] = []
    following = Following(versions=Versions(), begun=told.append)

    def rows(version: str) -> list[list[int]]:
        told.clear()
        last = check(["-"], Config(stdin_filename="program.py"), stdin=version, following=following).findings
        return [[finding.place.row for finding in part] for part in (*told, last)]

    assert rows(text) == [[5, 9], [5, 9]]
    text = text.replace("(2, 3))\ny", "(2, 2))\ny")
    assert rows(text) == [[5, 9]] * 3, "the brief trace ends before the function"
    assert rows(text.replace("(4, 5)", "(2, 5)")) == [[9]] * 3, "it has reached the product"
