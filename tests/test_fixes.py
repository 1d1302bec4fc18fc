"""Fixes remove findings, and change nothing else."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.checker.pipeline import check
from shapecheck.cli import run
from shapecheck.config import Config
from shapecheck.findings import Finding
from shapecheck.fixes.apply import fixed_files
from shapecheck.rules.rule import Rule, all_rules

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = sorted((ROOT / "corpus").rglob("buggy.py"))
HEAD = """import numpy as np
import tensorflow as tf
a, b = tf.zeros([2, 3]), tf.zeros([5, 3])
v, n = tf.zeros([3]), np.ones((5, 3))
rows, column = np.random.rand(4, 5), np.random.rand(4, 1)
"""


def findings(text: str, fixes: int = 1) -> list[Finding]:
    everything = Config(extend_select=("ALL",), fixes=fixes)
    return check(["-"], everything, stdin=text).findings


def fixed_text(text: str, *, unsafe: bool = True) -> str:
    """Return the text with the fixes of its findings."""
    return next((file.text for file in fixed_files(findings(text), unsafe=unsafe)), text)


def fixed_by_rules(text: str) -> str:
    """Return the text with the fixes that rules know without a trial."""
    return next((file.text for file in fixed_files(findings(text, fixes=0), unsafe=True)), text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.zeros(3, 4)", "np.zeros([3, 4])"),
        ("tf.zeros(3, 4)", "tf.zeros([3, 4])"),
        ("tf.ones(3,\n  4,  # rows\n)", "tf.ones([3,\n  4],  # rows\n)"),
        ("tf.matmul(a, b)", "tf.matmul(a, b, transpose_b=True)"),
        ("tf.matmul(a, (b),)", "tf.matmul(a, (b), transpose_b=True,)"),
        ("tf.matmul(a,\n  b\n)", "tf.matmul(a,\n  b, transpose_b=True\n)"),
        ("'äöü', tf.matmul(a, b)", "'äöü', tf.matmul(a, b, transpose_b=True)"),
        ("np.ones((4, 3)) @ n", "np.ones((4, 3)) @ n.T"),
        ("tf.matmul(a, v)", "tf.linalg.matvec(a, v)"),
        ("tf.concat([a, tf.zeros([2, 5])], 0)", "tf.concat([a, tf.zeros([2, 5])], 1)"),
        ("tf.concat(axis=0, values=[a, tf.zeros([2, 5])])", "tf.concat(axis=1, values=[a, tf.zeros([2, 5])])"),
        ("np.ones((5, 6, 7)) + np.ones((5, 6))", "np.ones((5, 6, 7)) + np.ones((5, 6))[..., np.newaxis]"),
        ("column - np.random.rand(4)", "np.squeeze(column, 1) - np.random.rand(4)"),
        ("rows = np.append(rows, np.ones((1, 5)))", "rows = np.append(rows, np.ones((1, 5)), axis=0)"),
    ],
)
def test_calls(before: str, after: str) -> None:
    assert fixed_text(f"{HEAD}{before}\n") == f"{HEAD}{after}\n"


@pytest.mark.parametrize(
    "call",
    [
        "tf.matmul(a,\n  b  # the other\n)",  # what is put in would be part of the comment
        "tf.matmul(*[a, b])",
        "tf.matmul(*(x for x in [a, b]))",
        "(lambda x: tf.matmul(a, x))(b) if False else tf.matmul(*[a, b])",
        "np.ones((4, 2, 3)).dot(np.ones((4, 3, 5)))",  # arrays have no method of that name
        "np.insert(rows, 0, 1.0)",  # a row or a column
        "a @ b",  # no keyword has its place there
    ],
)
def test_calls_that_are_left_alone(call: str) -> None:
    assert findings(f"{HEAD}{call}\n")
    assert fixed_by_rules(f"{HEAD}{call}\n") == f"{HEAD}{call}\n"


def test_names_that_are_not_imported() -> None:
    text = "import numpy\nx = numpy.ones((5, 6, 7)) + numpy.ones((5, 6))\n"
    assert findings(text)
    assert fixed_by_rules(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = a  # noqa: SHP101\n", "x = a\n"),
        ("x = a  # noqa: SHP101, E501\n", "x = a  # noqa: E501\n"),
        ("x = a  # noqa: SHP101  # type: ignore\n", "x = a  # type: ignore\n"),
        ("x = a  # kept  # noqa: SHP101\n", "x = a  # kept\n"),
        ("x = a  # noqa: SHP101 since it is old\n",) * 2,
        ("x = a  # shapecheck: ignore[axis-mismatch]\n", "x = a\n"),
        ("# shapecheck: ignore[SHP1]\nx = a\n", "x = a\n"),
        (
            "x = tf.matmul(a, b)  # shapecheck: ignore[SHP102, SHP101]\n",
            "x = tf.matmul(a, b)  # shapecheck: ignore[SHP101]\n",
        ),
    ],
)
def test_comments(before: str, after: str) -> None:
    assert fixed_text(HEAD + before, unsafe=False) == HEAD + after


EXAMPLES = [rule for rule in all_rules() if "## Example" in rule.page]


def example(rule: Rule) -> str:
    """Return the faulty programs of a rule's page as one."""
    part = rule.page.partition("## Example")[2].partition("## Use instead")[0]
    return "\n".join(re.findall(r"```py\n(.*?)```", part, re.DOTALL))


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.name)
def test_examples_of_rules(rule: Rule) -> None:
    before = findings(example(rule))
    for file in fixed_files(before, unsafe=True):
        left = {(finding.code, finding.place.row) for finding in findings(file.text)}
        assert not left & {(finding.code, finding.place.row) for finding in before if finding.fix}, file.diff()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_files_stay_as_they_are(tmp_path: Path, end: str, encoding: str) -> None:
    path = tmp_path / "a.py"
    head = "# -*- coding: latin-1 -*-\n" if encoding == "latin-1" else ""
    text = f"{head}import numpy as np\n# ü\n# noqa: SHP101\nx = np.zeros(3, 4)"
    path.write_bytes(text.replace("\n", end).encode(encoding))
    assert run([str(path), "--fix", "-q", "--no-cache"]) == 0
    after = f"{head}import numpy as np\n# ü\nx = np.zeros([3, 4])"
    assert path.read_bytes() == after.replace("\n", end).encode(encoding)


def test_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.py"
    text = f"{HEAD}np.zeros(3, 4)\ntf.matmul(a, b)\n"
    path.write_text(text)
    assert run([str(path), "--diff", "--no-cache"]) == 1
    told = capsys.readouterr().out
    assert "-np.zeros(3, 4)\n+np.zeros([3, 4])\n tf.matmul(a, b)\n" in told
    assert path.read_text() == text
    assert run([str(path), "--fix", "--no-cache", "--output-format", "concise"]) == 1
    told, aside = capsys.readouterr()
    assert "axis-mismatch" in told
    assert "rank-mismatch" not in told
    left = "1 finding has a fix that needs review; --diff --unsafe-fixes shows what would change."
    assert aside == f"Fixed 1 finding in 1 file. {left}\n"
    assert run([str(path), "--fix", "--unsafe-fixes", "--no-cache"]) == 0
    assert run([str(path), "--diff", "--unsafe-fixes", "--no-cache"]) == 0
    assert run([str(path), "--unsafe-fixes"]) == 2
    assert run(["-", "--fix"]) == 2


def test_a_diff_is_a_patch(tmp_path: Path) -> None:
    for name, text in {"a.py": f"{HEAD}np.zeros(3, 4)\n", "b.py": f"{HEAD}np.ones(2, 4)"}.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "shapecheck", ".", "--diff", "--no-cache"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    subprocess.run(["git", "apply", "-p0", "-"], input=told.stdout, cwd=tmp_path, text=True, check=True)
    assert (tmp_path / "a.py").read_text() == f"{HEAD}np.zeros([3, 4])\n"
    assert (tmp_path / "b.py").read_text() == f"{HEAD}np.ones([2, 4])"


def notebook(*sources: str | list[str], indent: int | None = 1) -> str:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in sources]
    whole = {"cells": [*cells, {"cell_type": "markdown", "source": ["# é"]}], "metadata": {}, "nbformat": 4}
    return json.dumps(whole, indent=indent, ensure_ascii=False) + "\n"


def test_notebooks_are_fixed_cell_by_cell(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(notebook("import numpy as np\n%time x = 3", ["np.zeros(3, 4)\n", "x\n"]), encoding="utf-8")
    assert run([str(path), "--fix", "--no-cache"]) == 0
    after = notebook("import numpy as np\n%time x = 3", ["np.zeros([3, 4])\n", "x\n"])
    assert path.read_text(encoding="utf-8") == after


def test_a_fix_may_add_a_line_to_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    head = "import numpy as np\nfrom tensorflow import keras\nnet = keras.Sequential([keras.Input((28,))])"
    uses = "net.predict(rows)\nnet.predict(rows)"
    path.write_text(notebook(head, "rows = np.zeros((60, 1, 28))", uses), encoding="utf-8")
    assert run([str(path), "--fix", "--unsafe-fixes", "--no-cache"]) == 0
    bound = "rows = np.zeros((60, 1, 28))\nrows = np.squeeze(rows, axis=1)"
    assert path.read_text(encoding="utf-8") == notebook(head, bound, uses)


def test_a_notebook_in_another_form_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(notebook("import numpy as np\nnp.zeros(3, 4)", indent=3), encoding="utf-8")
    before = path.read_bytes()
    assert run([str(path), "--fix", "--no-cache"]) == 2
    assert "not in the form that Jupyter writes" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"import numpy as np\r\n# noqa: SHP101\nnp.zeros(3, 4)\n")
    assert run([str(path), "--fix", "--no-cache"]) == 2
    assert "not fixed: its lines end in several ways" in capsys.readouterr().err


FAULTY = """import numpy as np
# grün
x = np.ones((3, 4))
print(np.matmul(x, np.ones((5, 4))))
print(x - x.mean(axis=1))"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_guided_fixes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: str, encoding: str
) -> None:
    head = "# -*- coding: latin-1 -*-\n" if encoding == "latin-1" else ""
    path = tmp_path / "faulty.py"
    path.write_bytes((head + FAULTY).replace("\n", end).encode(encoding))
    before = path.read_bytes()

    def answers(*given: str) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{each}\n" for each in given)))
        return run(["fix", str(path)])

    assert answers("u", "?", "n", "q") == 1
    assert path.read_bytes() == before
    assert "0 fixes applied, 1 skipped" in capsys.readouterr().out
    assert answers("y", "u", "q") == 1
    assert path.read_bytes() == before
    assert answers("1", "1") == 0
    mended = FAULTY.replace("np.ones((5, 4))", "np.ones((5, 4)).T").replace("axis=1", "axis=1, keepdims=True")
    assert path.read_bytes() == (head + mended).replace("\n", end).encode(encoding)
    assert "2 fixes applied, 0 skipped, 0 findings without a fix" in capsys.readouterr().out


def test_fixes_alone_report_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "faulty.py"
    path.write_text("import numpy as np\nx = np.zeros(3, 4)\ny = np.ones((2, 3)) @ np.ones((2, 3))\n")
    assert run([str(path), "--fix-only", "--no-cache"]) == 0
    assert capsys.readouterr().out == ""
    assert "np.zeros([3, 4])" in path.read_text()


@pytest.mark.parametrize("program", random.Random(7).sample(PROGRAMS, 25), ids=lambda path: path.parent.name)
def test_fixing_again_changes_nothing(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.py"
    path.write_bytes(program.read_bytes() + b"print(np.zeros(3, 4)) if 'np' in globals() else None  # no end of line")
    run([str(path), "--fix-only", "--no-cache"])
    once = path.read_bytes()
    run([str(path), "--fix-only", "--no-cache"])
    assert path.read_bytes() == once
    assert once.endswith(b"# no end of line")
