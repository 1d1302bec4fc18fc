"""Notebooks: one program in the order of its cells, with places given by cell."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from shapecheck.checker.inspect import reveal
from shapecheck.checker.pipeline import Result, check
from shapecheck.cli import run
from shapecheck.config import Config
from shapecheck.evaluation.match import match
from shapecheck.findings import Severity
from shapecheck.frontend.lower import lower
from shapecheck.frontend.magics import python_of
from shapecheck.frontend.notebook import program, read
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.source import Place, UnreadableSource
from shapecheck.target import Target

IMPORT = "import tensorflow as tf"
FAULT = "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))"


def cell(source: str, kind: str = "code", **metadata: object) -> dict[str, object]:
    return {"cell_type": kind, "metadata": metadata, "source": source.splitlines(keepends=True)}


def notebook(*cells: dict[str, object] | str, **metadata: object) -> str:
    made = [cell(each) if isinstance(each, str) else each for each in cells]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def checked(folder: Path, *cells: dict[str, object] | str, config: Config | None = None) -> Result:
    (folder / "nb.ipynb").write_text(notebook(*cells))
    return check([folder / "nb.ipynb"], config or Config())


def places(result: Result) -> list[tuple[str, int | None, int, int]]:
    return [(found.name, found.place.cell, found.place.row, found.place.column) for found in result.findings]


# --- cells -----------------------------------------------------------------------------------------------------------


def test_cells_are_one_program_and_places_are_told_by_cell(tmp_path: Path) -> None:
    result = checked(
        tmp_path, cell("# Title", "markdown"), IMPORT, "x = tf.zeros([2, 3])", f"# a comment\ny = {FAULT}\n"
    )
    assert places(result) == [("axis-mismatch", 4, 2, 5)]
    assert str(result.findings[0].place).endswith("nb.ipynb:cell 4:2")


def test_raw_cells_empty_cells_and_cells_without_source_are_skipped(tmp_path: Path) -> None:
    bare: dict[str, object] = {"cell_type": "code"}
    result = checked(tmp_path, cell("{{ template }}", "raw"), "", bare, f"{IMPORT}\n{FAULT}")
    assert places(result) == [("axis-mismatch", 4, 2, 1)]


def test_a_cell_that_does_not_parse_loses_only_itself(tmp_path: Path) -> None:
    result = checked(tmp_path, IMPORT, "this is prose, isn't it?!", FAULT, "def broken(:\n    pass")
    assert places(result) == [("syntax-error", 2, 1, 19), ("axis-mismatch", 3, 1, 1), ("syntax-error", 4, 1, 12)]


def test_python_2_in_a_cell(tmp_path: Path) -> None:
    assert places(checked(tmp_path, IMPORT, 'print "text"', FAULT)) == [("axis-mismatch", 3, 1, 1)]


def test_a_cell_may_be_indented_as_a_whole(tmp_path: Path) -> None:
    result = checked(tmp_path, IMPORT, f"    x = 1\n    {FAULT}", "y = x")
    assert places(result) == [("axis-mismatch", 2, 2, 5)]


def test_a_cell_that_is_to_raise_is_tolerated(tmp_path: Path) -> None:
    shown = Config(select=("ALL",))
    result = checked(tmp_path, IMPORT, cell(FAULT, tags=["raises-exception"]), config=shown)
    assert [found.severity for found in result.findings] == [Severity.INFO]
    assert not checked(tmp_path, IMPORT, cell(FAULT, tags=["raises-exception"])).findings


def test_comments_silence_in_cells(tmp_path: Path) -> None:
    silenced = f"{FAULT}  # noqa: SHP101"
    assert not checked(tmp_path, IMPORT, "x = 1", silenced).findings
    assert places(checked(tmp_path, IMPORT, silenced, FAULT)) == [("axis-mismatch", 3, 1, 1)]


def test_older_notebooks_keep_cells_in_worksheets(tmp_path: Path) -> None:
    old = {"cell_type": "code", "input": [f"{IMPORT}\n", FAULT], "language": "python"}
    (tmp_path / "nb.ipynb").write_text(json.dumps({"nbformat": 3, "worksheets": [{"cells": [old]}]}))
    assert places(check([tmp_path / "nb.ipynb"], Config())) == [("axis-mismatch", 1, 2, 1)]


def test_notebooks_in_other_languages_have_no_python(tmp_path: Path) -> None:
    (tmp_path / "nb.ipynb").write_text(notebook("x <- 1", language_info={"name": "R"}))
    result = check([tmp_path], Config())
    assert not result.findings
    assert not result.problems


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a notebook: the file is empty"),
        ("{", "not a notebook: Expecting"),
        ("[1, 2]", "not a notebook: it has no cells"),
        ('{"metadata": {}}', "not a notebook: it has no cells"),
        ("[" * 100_000, "not a notebook"),
    ],
)
def test_what_is_not_a_notebook_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "nb.ipynb").write_text(text)
    (problem,) = check([tmp_path], Config()).problems
    assert said in problem


@pytest.mark.parametrize("cells", [[1, None, "x"], None, {}, [{"cell_type": "code", "source": 3, "metadata": 4}]])
def test_odd_notebooks_are_empty_programs(cells: object) -> None:
    assert program(json.dumps({"cells": cells, "metadata": 3}).encode(), "nb.ipynb").text == ""


def test_a_notebook_that_cannot_be_read() -> None:
    with pytest.raises(UnreadableSource, match=r"no such|No such"):
        read(Path("missing.ipynb"))


# --- magics ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("%matplotlib inline\nx = 1", "0                 \nx = 1"),
        ("!pip install \\\n  numpy\nx = 1", "0             \n       \nx = 1"),
        ("x?\nx.y??  # help\ny = 1", "0 \n0            \ny = 1"),
        ("try:\n  %tensorflow_version 2.x\nexcept Exception:\n  pass", None),
        ("files = !ls *.py\nn = 1", "files = ________\nn = 1"),
        ("y = %time f(1)", "y =       f(1)"),
        ("%time y = f(1)", "0;    y = f(1)"),
        ("%timeit -n 10 -r 3 f(1)", "0;                 f(1)"),
        ("%time for i in x: i", "0                  "),
        ("%%time\ny = 1", "      \ny = 1"),
        ("\n%%timeit z = 2\ny = 1", "\n              \ny = 1"),
        ("a = (b\n % c)", "a = (b\n % c)"),
        ("s = '''\n%text\n!text\n'''", "s = '''\n%text\n!text\n'''"),
        ("a != b", "a != b"),
        ("d[a == 1] = 5 % 3", "d[a == 1] = 5 % 3"),
        ("pip install numpy\nls -l\nls = [1]", "0                \n0    \nls = [1]"),
        ("timeit f(1)\ntime in x\ntime = 1", "0;     f(1)\ntime in x\ntime = 1"),
        ("matplotlib inline", "0                "),
        ("d['x'] = !ls\n'%s = %d' % (a, b)", "d['x'] = ___\n'%s = %d' % (a, b)"),
        ("for i in x:\n    !echo don't\n    y = i", "for i in x:\n    0          \n    y = i"),
    ],
)
def test_magics_leave_the_place_of_other_code(text: str, left: str | None) -> None:
    python = python_of(text)
    assert python is not None
    assert [len(line) for line in python.split("\n")] == [len(line) for line in text.split("\n")]
    assert left is None or python == left
    compile(python, "cell", "exec")


def test_a_copied_session_is_code_without_its_prompts(tmp_path: Path) -> None:
    result = checked(
        tmp_path, IMPORT, f"# A session.\n>>> for i in range(2):\n...     x = {FAULT}\narray([1, 2])\n>>> x"
    )
    assert places(result) == [("axis-mismatch", 2, 3, 13)]


@pytest.mark.parametrize(
    "magic", ["%%bash", "%%html", "%%writefile model.py", "%%javascript", "%%unheard_of", "# Shown as it is.\n\n%%html"]
)
def test_cells_in_other_languages_are_dropped(magic: str) -> None:
    assert python_of(f"{magic}\nx = 1") is None


def test_the_body_of_a_timed_cell_is_checked(tmp_path: Path) -> None:
    result = checked(tmp_path, f"{IMPORT}\n%pip install tensorflow", f"%%time\n%time x = {FAULT}")
    assert places(result) == [("axis-mismatch", 2, 2, 11)]


@pytest.mark.parametrize(
    ("magic", "release"),
    [
        ("%tensorflow_version 1.x", 1),
        ("try:\n  %tensorflow_version 1.15\nexcept Exception:\n  pass", 1),
        ("!pip install -q tensorflow-gpu==1.15 numpy", 1),
        ("%tensorflow_version 2.x", 2),
        ("!pip install tensorflow==2.1.0", 2),
    ],
)
def test_a_magic_may_tell_the_version(magic: str, release: int) -> None:
    source = program(notebook(magic, IMPORT).encode(), "nb.ipynb")
    assert ParsedFiles([source], Target()).target_of(source).tensorflow == release


# --- around ----------------------------------------------------------------------------------------------------------


def test_notebooks_in_a_folder_are_found_unless_they_are_excluded(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "nb.ipynb").write_text(notebook(IMPORT, FAULT))
    assert len(check([tmp_path], Config(root=tmp_path)).findings) == 1
    assert not check([tmp_path], Config(root=tmp_path, exclude=("*.ipynb",))).checked


def test_a_notebook_imports_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text("COLUMNS = 4\n")
    result = checked(
        tmp_path, "import sizes\nimport tensorflow as tf", "tf.matmul(tf.ones([2, 3]), tf.ones([sizes.COLUMNS, 5]))"
    )
    assert places(result) == [("axis-mismatch", 2, 1, 1)]


def test_reveal_tells_cells(tmp_path: Path) -> None:
    path = tmp_path / "nb.ipynb"
    path.write_text(notebook(IMPORT, "x = tf.zeros([2, 3])", "y = tf.transpose(x)"))
    assert [(item.cell, item.row, item.shape) for item in reveal(path, None, Config()) if item.text in "xy"] == [
        (2, 1, "(2, 3)"),
        (3, 1, "(3, 2)"),
        (3, 1, "(2, 3)"),
    ]
    assert {item.cell for item in reveal(path, 1, Config(), cell=3)} == {3}


def test_the_command_line_names_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nb.ipynb").write_text(notebook(IMPORT, "pass", FAULT))
    assert run(["nb.ipynb", "--output-format", "concise", "--no-cache"]) == 1
    assert capsys.readouterr().out.startswith("nb.ipynb:cell 3:1:1: error[axis-mismatch]")
    run(["nb.ipynb", "--output-format", "json", "--no-cache"])
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["cell"], found["location"]) == (3, {"row": 1, "column": 1})
    assert run(["reveal", "nb.ipynb:cell 3:1"]) == 0
    assert capsys.readouterr().out.startswith("nb.ipynb:cell 3:1:")
    assert run(["repro", "nb.ipynb:cell 3:1:1:"]) == 0
    assert "matmul" in capsys.readouterr().out
    assert run(["reveal", "nb.ipynb:cell 3:1x"]) == 2


def test_standard_input_can_be_a_notebook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(notebook(IMPORT, FAULT).encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert run(["-", "--stdin-filename", "x.ipynb", "--output-format", "concise", "--no-cache"]) == 1
    assert capsys.readouterr().out.startswith("x.ipynb:cell 2:1:1:")


def test_labels_count_the_rows_of_the_json(tmp_path: Path) -> None:
    path = tmp_path / "nb.ipynb"
    found = checked(tmp_path, IMPORT, f"y = 1\nx = {FAULT}\n").findings
    row = next(row for row, line in enumerate(path.read_text().split("\n"), 1) if "matmul" in line)
    assert len(match(found, {path: {row}}).hits) == 1
    assert not match(found, {path: {row - 1}}).hits


def test_percent_scripts_are_ordinary_files(tmp_path: Path) -> None:
    (tmp_path / "nb.py").write_text(f"# %% [markdown]\n# text\n# %%\n{IMPORT}\n# %%\n{FAULT}\n")
    (found,) = check([tmp_path], Config()).findings
    assert (found.place.cell, found.place.row) == (None, 6)


def test_places_between_cells_count_rows_in_their_cell() -> None:
    source = program(notebook("a = 1\nb = 2", "    c = 3", "d = 4").encode(), "nb.ipynb")
    assert not lower(source).faults
    rows = [Place(source, source.text.index(name), source.text.index(name) + 1) for name in "abcd"]
    assert [(place.cell, place.row, place.column) for place in rows] == [(1, 1, 1), (1, 2, 1), (2, 1, 5), (3, 1, 1)]
    assert [place.line(place.row) for place in rows] == ["a = 1", "b = 2", "    c = 3", "d = 4"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("def scaled(x, by):\n    return x * by", "def scaled(x):\n    return x * 2"),
        (
            "class scaled:\n    def __init__(self, x, by):\n        self.x = x",
            "class scaled:\n    def __init__(self, x):\n        self.x = x",
        ),
    ],
)
def test_a_function_is_called_while_its_names_mean_what_earlier_cells_define(
    tmp_path: Path, first: str, second: str
) -> None:
    shown = "from ipywidgets import interact\n@interact(by=(0, 5))\ndef show(by):\n    return scaled(1, by)"
    again = "import numpy\ndef later(by):\n    return scaled(1, by, by)"
    assert places(checked(tmp_path, first, shown, second, again)) == [("call-mismatch", 4, 3, 12)]


# --- versions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "python", "rules"),
    [
        ([], "3.11.4", ["version-dependent"]),
        ([], "3.7.12", []),
        ([], "3.12.1", ["rank-mismatch"]),
        (["!pip install -q tensorflow==2.17 pandas"], "3.11.4", ["rank-mismatch"]),
        (["%pip install 'keras<3'"], "3.12.1", []),
        (["%tensorflow_version 2.x"], "", []),
    ],
)
def test_commands_and_the_kernel_tell_versions(tmp_path: Path, cells: list[str], python: str, rules: list[str]) -> None:
    text = notebook(*cells, "from tensorflow import keras\nkeras.Input(shape=(3))", language_info={"version": python})
    (tmp_path / "nb.ipynb").write_text(text)
    config = Config(cache_dir=tmp_path / "cache")
    for _ in range(2):
        assert [found.name for found in check([tmp_path / "nb.ipynb"], config).findings] == rules
    (tmp_path / "nb.ipynb").write_text(text.replace(f'"{python}"', '"3.6.1"').replace("2.17", "2.8"))
    if "%pip" not in text:
        assert not check([tmp_path / "nb.ipynb"], config).findings
