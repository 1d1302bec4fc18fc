"""The command as its users see it: arguments, exit statuses, streams."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from shapecheck import __version__
from shapecheck.cli import run

BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"
CLEAN = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 7]))\n"
SLOW = """\
import tensorflow as tf


@tf.function
def decayed(x):
    for _ in range(500):
        x = x - 0.01 * x
    return x


decayed(tf.ones([3]))
"""
HEADLINE = "bug.py:3:5: error[axis-mismatch] tf.matmul: "

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command in a folder with a faulty and a clean program; return exit status, output and errors."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bug.py").write_text(BUG)
    (tmp_path / "clean.py").write_text(CLEAN)

    def called(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments)
        told = capsys.readouterr()
        return status, told.out, told.err

    return called


def test_check_is_the_default_command(call: Call) -> None:
    status, out, err = call("bug.py")
    assert (status, err) == (1, "")
    assert out.startswith(HEADLINE)
    assert out.endswith("Checked 1 file: 1 error.\n")
    assert call("check", "bug.py") == (status, out, err)
    assert call("--select", "ALL", "bug.py")[0] == 1


def test_clean_and_current_folder(call: Call) -> None:
    assert call("clean.py") == (0, "Checked 1 file: nothing found.\n", "")
    assert call("check")[1].endswith("Checked 2 files: 1 error.\n")


def test_exit_zero_and_quiet(call: Call) -> None:
    assert call("--exit-zero", "bug.py")[0] == 0
    assert call("-q", "clean.py") == (0, "", "")


def test_a_missing_path_costs_nothing_but_the_status(call: Call) -> None:
    status, out, err = call("missing.py", "bug.py", "--output-format", "concise")
    assert status == 2
    assert out.startswith(HEADLINE)
    assert err == "missing.py: no such file or folder\n"


def test_unreadable_and_unparsable_files_do_not_stop_the_rest(call: Call, tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"x = '\xe9'\n")
    status, out, err = call("latin.py", "bug.py")
    assert (status, out.startswith(HEADLINE)) == (2, True)
    assert err.startswith("latin.py: ")
    (tmp_path / "syntax.py").write_text("def f(:\n")
    status, out, err = call("syntax.py", "bug.py", "--output-format", "jsonl")
    assert status == 1
    assert [json.loads(line)["code"] for line in out.splitlines()] == ["SHP101", "SHP901"]


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--select", "SHP9"], 0),
        (["--select", "mismatch"], 1),
        (["--ignore", "axis-mismatch"], 0),
        (["--select", "SHP9", "--extend-select", "SHP101"], 1),
        (["--per-file-ignores", "bug.py:SHP1"], 0),
        (["--per-file-ignores", "clean.py:SHP1"], 1),
        (["--min-severity", "error"], 1),
        (["--target", "tensorflow=2.21,keras=3"], 1),
    ],
)
def test_selection(call: Call, options: list[str], status: int) -> None:
    assert call("bug.py", *options)[0] == status


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "1 perf."),
        (["--ignore", "perf"], "nothing found."),
        (["--select", "perf"], "1 perf."),
        (["--min-severity", "warning"], "nothing found."),
        (["--min-severity", "perf"], "1 perf."),
        (["--per-file-ignores", "slow.py:perf"], "nothing found."),
        (["--select", "mismatch", "--extend-select", "unrolled-loop"], "1 perf."),
    ],
)
def test_slow_programs_do_not_fail(call: Call, tmp_path: Path, options: list[str], told: str) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    status, out, _ = call("slow.py", *options)
    assert (status, out.splitlines()[-1]) == (0, f"Checked 1 file: {told}")
    assert call("slow.py", "bug.py", *options)[0] == int("--select" not in options or "mismatch" in options)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--select", "axis-mismach", "bug.py"], "did you mean 'axis-mismatch'?"),
        (["--target", "2.21", "bug.py"], "tensorflow=2.21,keras=3"),
        (["--per-file-ignores", "SHP1", "bug.py"], "tests/*:SHP101"),
        (["--no-such-option", "bug.py"], "No such option"),
        (["explain", "axis-mismach"], "did you mean 'axis-mismatch'?"),
        (["rule"], "--all"),
        (["reveal", "missing.py:3"], "missing.py: no such file"),
        (["repro", "bug.py"], "has no line number"),
        (["eval"], "--labels"),
        (["--output-file", "no/such/folder.txt", "bug.py"], "No such file"),
    ],
)
def test_usage_errors(call: Call, arguments: list[str], told: str) -> None:
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert told in err


def test_configuration(call: Call, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.shapecheck]\nignore = ["SHP1"]\n')
    assert call("bug.py")[0] == 0
    (tmp_path / "pyproject.toml").write_text("[tool.shapecheck]\nignroe = []\n")
    status, _, err = call("bug.py")
    assert status == 2
    assert err.endswith("unknown key 'ignroe'; did you mean 'ignore'?\n")
    assert err.count("\n") == 1


def test_standard_input(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BUG.encode())))
    status, out, _ = call("-", "--stdin-filename", "cell.py", "--output-format", "concise")
    assert status == 1
    assert out.startswith("cell.py:3:5: error[axis-mismatch]")


def test_machine_formats_have_standard_output_to_themselves(call: Call) -> None:
    status, out, err = call("bug.py", "--output-format", "json", "--statistics", "--coverage")
    assert status == 1
    assert [found["code"] for found in json.loads(out)] == ["SHP101"]
    assert "    1  SHP101 axis-mismatch\n" in err
    assert "tensors with a known shape: " in err


def test_coverage_by_its_former_name(call: Call) -> None:
    assert call("bug.py", "--stats") == call("bug.py", "--coverage")
    assert "--stats" not in call("check", "--help")[1]


def test_places_where_most_steps_are_spent(call: Call, tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text("import numpy as np\ndef f(x):\n    return x\nfor i in range(5):\n    f(i)\n")
    lines = [line.split() for line in call("loop.py", "--coverage")[1].splitlines() if " steps at " in line]
    assert [" ".join(line[3:]) for line in lines] == ["loop.py:4: for, traced 1 times", "loop.py:2: f, traced 5 times"]
    assert int(lines[0][0]) > int(lines[1][0]) > 0


def test_places_behind_which_nothing_is_followed(call: Call, tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(f"def check():\n    raise ValueError\n\n\ncheck()\n{BUG}")
    status, out, _ = call("ends.py", "--coverage")
    assert (status, out.splitlines()[-2]) == (0, "not followed beyond ends.py:5: raised (ends.py:2)")
    assert call("ends.py", "--coverage")[1] == out
    assert call("reveal", "ends.py")[2].splitlines()[0] == "not followed beyond ends.py:5: raised (ends.py:2)"
    (tmp_path / "ends.py").write_text("def check():\n    raise ValueError\n\n\ncheck()\n")
    assert "not followed beyond" not in call("ends.py", "--coverage")[1]


def test_output_file(call: Call, tmp_path: Path) -> None:
    status, out, _ = call("bug.py", "--output-format", "jsonl", "--output-file", "found.jsonl")
    assert (status, out) == (1, "Checked 1 file: 1 error.\n")
    assert json.loads((tmp_path / "found.jsonl").read_text())["name"] == "axis-mismatch"


def test_colour(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in call("bug.py")[1]
    assert "\x1b[1;31m" in call("--color", "always", "bug.py")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in call("bug.py")[1]
    assert "\x1b" not in call("--color", "never", "bug.py")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in call("bug.py")[1]


def test_explain_and_rule(call: Call) -> None:
    status, out, _ = call("explain", "shp101")
    assert status == 0
    assert out.startswith("SHP101 axis-mismatch (error, mismatch)\n\n# axis-mismatch\n")
    assert call("explain", "axis-mismatch")[1] == out
    listed = json.loads(call("rule", "--all", "--output-format", "json")[1])
    assert [item["code"] for item in listed] == sorted(item["code"] for item in listed)
    assert json.loads(call("rule", "SHP101", "--output-format", "json")[1]) == [
        item for item in listed if item["code"] == "SHP101"
    ]


def test_reveal(call: Call) -> None:
    status, out, _ = call("reveal", "clean.py:3")
    assert status == 0
    assert "(2, 7)" in out
    (found,) = (
        item
        for item in json.loads(call("reveal", "clean.py", "--output-format", "json")[1])
        if item["text"].startswith("tf.matmul(")
    )
    assert found["shape"] == [2, 7]
    assert (found["filename"], found["row"], found["column"], found["dtype"]) == ("clean.py", 3, 5, "float32")


def test_reveal_tells_what_is_no_number(call: Call, tmp_path: Path) -> None:
    (tmp_path / "open.py").write_text("import keras\nx = keras.Input((128,))\n")
    found = json.loads(call("reveal", "open.py:2", "--output-format", "json")[1])[-1]
    assert isinstance(found["shape"][0], str)
    assert found["shape"][1] == 128


def test_a_comment_is_idle_in_a_file_without_tensors_too(call: Call, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("x = 1  # shapecheck: ignore[SHP101]\ny = 2  # noqa: SHP101\nz = 3  # noqa\n")
    out = call("plain.py", "--output-format", "concise", "-q")[1]
    assert [line.split(" ")[0] for line in out.splitlines()] == ["plain.py:1:8:", "plain.py:2:8:"]


def test_options_and_comments_hold_in_files_that_are_imported(call: Call, tmp_path: Path) -> None:
    body = "import numpy as np\n\n\ndef f(x):\n    return x @ np.zeros((4, 5))"
    (tmp_path / "net.py").write_text(body + "\n")
    (tmp_path / "use.py").write_text("import numpy as np\nfrom net import f\n\nf(np.zeros((2, 3)))\n")
    assert call("use.py", "--output-format", "concise")[1].startswith("net.py:5:12: error")
    (tmp_path / "shapecheck.toml").write_text('exclude = ["net.py"]\n')
    assert call("use.py")[0] == 0
    (tmp_path / "shapecheck.toml").write_text('per-file-ignores = {"net.py" = ["SHP1"]}\n')
    assert call("use.py")[0] == 0
    (tmp_path / "shapecheck.toml").unlink()
    (tmp_path / "net.py").write_text(body + "  # noqa: SHP101\n    y = 1  # noqa: SHP101\n")
    assert call("use.py")[0] == 0
    assert call("net.py")[0] == 0
    assert "net.py:6:12: warning[unused-suppression]" in call(".", "--output-format", "concise")[1]


@pytest.mark.parametrize("form", ["dot", "graphml", "json"])
def test_graph(call: Call, form: str) -> None:
    status, out, _ = call("graph", "clean.py", "--format", form)
    assert status == 0
    assert out


@pytest.mark.slow
def test_confirm_and_repro(call: Call, tmp_path: Path) -> None:
    status, out, _ = call("--confirm", "bug.py")
    assert status == 1
    assert "= confirmed: TensorFlow" in out
    (tmp_path / "repro.py").write_text(call("repro", "bug.py:3")[1])
    ran = subprocess.run([sys.executable, tmp_path / "repro.py"], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "InvalidArgumentError" in ran.stderr


def test_help_and_version(call: Call) -> None:
    assert call()[:2] == (0, call("--help")[1])
    assert call("--version") == (0, f"shapecheck {__version__}\n", "")


def test_the_tests_of_a_file_give_its_functions_arguments(call: Call, tmp_path: Path) -> None:
    module = "import numpy as np\n\ndef total(rows, row):\n    return rows + row\n"
    (tmp_path / "sums.py").write_text(module)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_sums.py").write_text(
        "import unittest\nimport numpy as np\nfrom sums import total\n\n"
        "class Sums(unittest.TestCase):\n    def test_total(self):\n        total(np.zeros((4, 3)), np.zeros(4))\n"
        "        np.zeros(2) + np.zeros(3)\n"
    )
    status, out, _ = call("--output-format", "concise", "sums.py")
    assert status == 1
    assert out.startswith("sums.py:4:12: error[broadcast-mismatch]")
    assert out.endswith("Checked 1 file: 1 error.\n")
    assert call("sums.py", "clean.py", "tests")[1].endswith("Checked 3 files: 2 errors.\n")
    (tmp_path / "shapecheck.toml").write_text('exclude = ["tests"]\n')
    assert call("sums.py")[0] == 0


def test_an_internal_error_is_one_line(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("shapecheck.checker.pipeline.check", fails)
    status, out, err = call("bug.py")
    assert (status, out, err) == (2, "", "shapecheck: internal error, please report it: RuntimeError: two lines\n")


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "bug.py").write_text(BUG * 400)
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [sys.executable, "-m", "shapecheck", "bug.py"],
        cwd=tmp_path,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert ran.stderr == b""
