"""Text that does not parse: a program with one broken statement has no findings that it has not without the break."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from shapecheck.checker.check_file import check
from shapecheck.findings import Finding
from shapecheck.frontend.lower import lower
from shapecheck.frontend.mend import mended
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.versions import common_target
from shapecheck.source import Source
from shapecheck.target import Target
from tests.support.seed import draws

CLEAN = sorted((Path(__file__).parent.parent / "corpus" / "clean").glob("*/main.py"))

BREAKS: dict[str, Callable[[str], str]] = {
    "a bracket is not closed": lambda line: line[::-1].replace(")", "", 1)[::-1],
    "a bracket is not opened": lambda line: line + ")",
    "no colon": lambda line: re.sub(r":$", "", line),
    "a quote is missing": lambda line: line.replace('"', "", 1),
    "quotes of a word processor": lambda line: line.replace('"', "”"),
    "deeper": lambda line: " " + line,
    "less deep": lambda line: line.removeprefix("  "),
    "at the start of the line": str.lstrip,
    "followed by prose": lambda line: line + "  and then this happens",
    "below an ellipsis": lambda line: re.match(r" *", line)[0] + "…\n" + line,  # type: ignore[index]
    "an operator is left": lambda line: line + " =",
    "a remark": lambda line: "Then I wrote this (it's wrong, see below):\n" + line,
}

FRAGMENTS = [
    "x = (1,\ny = 2\n",
    "def f(:\n  pass",
    "else:\n    x = 1\n",
    "@decorated\nx = 1\n",
    "class A:\nx = 1\ndef f(self):\n    return self.x\n",
    "try:\n    x = 1\ny = 2\n",
    "for i in range(3)\n    print(i)\nelse:\n    x = i\n",
    "if x:\n    # nothing\ny = 1\n",
    "return x +\nyield y\nbreak\n",
    "  x = 1\n y = 2\nz = 3\n",
    "x = '''never\nclosed = 1\n",
    ">>> x = 1\n>>> if x:\n...     y = 2\n... else:\n...     y = 3\n...\n>>> y +\n2\n",
    "In [1]: x = [1,\n   ...:      2]\n\nIn [2]: x[\nOut[2]: 1\n",
    " 1 | x = 1\n 2 | y = \n 3 | z = x\n",
    "match x:\n    case 1:\n        y = 1\n    case (:\n        y = 2\n",
    "x = 1 if y else\nlambda: (\nwith open(f as g:\n    g.read()\n",
    "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n",
    "from numpy import (zeros, ones\nimport keras as\nx = zeros(3)\n",
    "while (True:\n    x = 1\n    if x: break\n  continue\n",
    "print 'old', (x\nprint 'older'\n",
    "async def f(x: await y\n    return x\n",
    "model.fit(x, y, epochs=3, ...)\nmodel.fit(…, y)\n",
    "\tx = 1\n        y = 2\n\tif x:\n            z = 3\n",
    "}{\n)(\n][\n",
    "Why doesn't this work?\n\n    x = 1\n    y = x +\n\nThanks!\n",
    "```python\nx = 1\n```\n~~~\ny = 2\n~~~\nIt's done.\n",
    "x = 1\\\ny = = 2\n",
    "def f(x):\n    x = [\n    return x\n\ndef g(): return (1\nclass B(A:\n    pass\n",
]


@pytest.mark.parametrize("text", FRAGMENTS)
def test_every_fragment_is_mended(text: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(text)
    made = mended(text)
    assert made is not None
    assert len(made.origins) == len(made.text) + 1
    assert made.origins == sorted(made.origins)
    module = lower(Source("posted", text))
    assert len(module.faults) == 1
    assert all(0 <= each.start <= each.end <= len(text) for each in module.body)


def test_what_is_kept_has_its_place() -> None:
    text = ">>> x = 1\n>>> y = (2\n>>> if x:\n...     z = x + 3\n"
    (_, statement) = [each for each in lower(Source("posted", text)).body if text[each.start] in "xi"]
    assert text[statement.start : statement.end] == "if x:\n...     z = x + 3"


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_statement_leads_to_no_findings(name: str) -> None:
    chosen = draws(name)
    for path in chosen.sample(CLEAN, 3):
        text = path.read_text(encoding="utf-8")
        for _ in range(3):
            broken = _broken(text, BREAKS[name], chosen)
            if broken is not None:
                assert [finding for finding in _findings(broken) if finding.severity.value == "error"] == [], broken


def _broken(text: str, change: Callable[[str], str], chosen: Random) -> str | None:
    """Return a program with one broken line; None if it still parses."""
    lines = text.split("\n")
    row = chosen.choice([node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]) - 1
    lines[row] = change(lines[row])
    broken = "\n".join(lines)
    try:
        ast.parse(broken)
    except SyntaxError:
        return broken
    return None


def _findings(text: str) -> tuple[Finding, ...]:
    source = Source("broken.py", text)
    return check(ParsedFiles([source], common_target([text], Target())), source).findings
