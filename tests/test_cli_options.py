"""Options of `check` that affect the output, and limits that no option removes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import click
import pytest

from shapecheck.checker import parallel
from shapecheck.cli import progress, run
from shapecheck.config import FORMATS, BadConfig, Config
from shapecheck.config_files import from_table

BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bug.py").write_text(BUG)
    (tmp_path / "clean.py").write_text("import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 7]))\n")
    return tmp_path


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_by_option(folder: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([".", "--output-format", form, "--output-file", "report"]) == 1
    told = (folder / "report").read_text(encoding="utf-8")
    assert "tf.matmul: " in told
    assert "\x1b" not in told
    assert capsys.readouterr() == ("Checked 2 files: 1 error.\n", "")
    assert run([".", "--output-format", form, "-q"]) == 1
    assert capsys.readouterr() == (told, "")


def test_reports_know_what_was_checked_and_what_was_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clean.py", "gone.py", "--output-format", "junit"]) == 2
    assert "gone.py: no such file" in capsys.readouterr().out
    assert run(["clean.py", "bug.py", "--output-format", "sarif"]) == 1
    (told,) = json.loads(capsys.readouterr().out)["runs"]
    assert [rule["id"] for rule in told["tool"]["driver"]["rules"]] == ["SHP101"]
    assert told["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("tensorfow=2", "tensorfow: no such library; did you mean 'tensorflow'?"),
        ("keras=three", "keras: 'three' is not a version, such as '2.21'"),
    ],
)
def test_targets_are_versions_of_known_libraries(target: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--target", target, "bug.py"]) == 2
    assert told in capsys.readouterr().err
    with pytest.raises(BadConfig) as caught:
        from_table({"target": dict([target.split("=")])}, "here", Path())
    assert str(caught.value) == f"here: target.{told}"


def test_verbose_names_the_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-v", "clean.py"]) == 0
    assert capsys.readouterr().err == "checked clean.py\n"


def test_progress_is_for_terminals_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0)
    assert run([".", "--no-cache"]) == 1
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run([".", "--no-cache"]) == 1
    assert "checking" in capsys.readouterr().err
    assert run(["-q", ".", "--no-cache"]) == 1
    assert capsys.readouterr().err == ""


def test_progress_waits_before_it_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 1000)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run([".", "--no-cache"]) == 1
    assert capsys.readouterr().err == ""


def test_nothing_that_is_checked_is_imported(folder: Path) -> None:
    """Neither a file with the name of a library, nor one that a configuration might name."""
    for name in ("click", "networkx", "numpy", "pathspec", "sitecustomize", "tensorflow", "z3", "xml"):
        (folder / f"{name}.py").write_text("raise SystemExit('imported')\n")
    (folder / "use.py").write_text("import numpy\nimport tensorflow\n" + BUG)
    for command in ([sys.executable, "-m", "shapecheck"], [str(Path(sys.executable).with_name("shapecheck"))]):
        ran = subprocess.run(
            [*command, "bug.py", "use.py", "-q", "--output-format", "junit"],
            capture_output=True,
            text=True,
            check=False,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        )
        assert ran.returncode == 1, ran.stdout + ran.stderr
        assert "imported" not in ran.stdout + ran.stderr


def test_no_key_names_code() -> None:
    for key in ("plugins", "load-plugins", "rules", "import", "command"):
        with pytest.raises(BadConfig, match=f"unknown key '{key}'"):
            from_table({key: ["os.system"]}, "here", Path())
    assert all("path" not in name.lower() or name == "root" for name in Config.__dataclass_fields__)


# --- interruption ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_was_found_before_an_interruption_is_printed(
    folder: Path, jobs: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("bug.py", "other.py"):
        (folder / name).write_text(BUG + "# a long comment\n" * parallel.WORTH_SHARING)

    def interrupt(done: int, total: int) -> None:
        assert (done, total) <= (1, 2)
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr("shapecheck.cli.check.progress", lambda *args, **keywords: nullcontext(interrupt))
    assert run(["bug.py", "other.py", "--no-cache", "--jobs", jobs, "--output-format", "concise"]) == 130
    told = capsys.readouterr()
    assert told.err == "shapecheck: interrupted, 1 of 2 files were checked\n"
    assert ".py:3:5: error[axis-mismatch]" in told.out
    assert told.out.endswith("\nChecked 1 file: 1 error.\n")
    assert run(["bug.py", "other.py", "--no-cache", "--diff"]) == 130
    assert capsys.readouterr() == ("", "\nshapecheck: interrupted\n")


# --- settings --------------------------------------------------------------------------------------------------------


def test_settings_come_from_the_file_that_is_named_or_from_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "shapecheck.toml").write_text('ignore = ["SHP1"]\n')
    (folder / "other.toml").write_text('extend = "shapecheck.toml"\n[target]\nkeras = "3"\n')
    assert run(["bug.py"]) == 0
    assert run(["bug.py", "--isolated"]) == 1
    assert run(["bug.py", "--config", "other.toml"]) == 0
    capsys.readouterr()
    assert run(["--config", "other.toml", "--extend-ignore", "SHP2", "--show-settings"]) == 0
    first, second, *others = capsys.readouterr().out.splitlines()
    assert (first, second) == (f"# from {folder}/shapecheck.toml", f"# from {folder}/other.toml")
    assert others == ['ignore = ["SHP1", "SHP2"]', "", "[target]", '"keras" = "3"']
    (folder / "json.toml").write_text('output-format = "json"\njobs = 1\n')
    assert run(["bug.py", "--config", "json.toml", "-q"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["code"] == "SHP101"
    assert run(["bug.py", "--config", "json.toml", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("bug.py:")
    assert run(["bug.py", "--config", "gone.toml"]) == 2
    assert run(["bug.py", "--config", "other.toml", "--isolated"]) == 2


def test_a_changed_file_that_is_extended_is_noticed(folder: Path) -> None:
    (folder / "base.toml").write_text('ignore = ["SHP1"]\n')
    (folder / "shapecheck.toml").write_text('extend = "base.toml"\n')
    assert [run(["bug.py"]), run(["bug.py"])] == [0, 0]
    (folder / "base.toml").write_text('ignore = ["SHP2"]\n')
    assert run(["bug.py"]) == 1


def test_excluded_files_are_left_out_even_if_they_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "shapecheck.toml").write_text('exclude = ["bug.py"]\n')
    assert run(["bug.py", "clean.py", "--show-files"]) == 0
    assert capsys.readouterr().out == "bug.py\nclean.py\n"
    assert run(["bug.py", "clean.py", "--force-exclude"]) == 0
    assert "Checked 1 file:" in capsys.readouterr().out
    assert run([".", "--exclude", "clean.py", "--show-files"]) == 0
    assert capsys.readouterr().out == "bug.py\n"
    (folder / "shapecheck.toml").write_text('exclude = ["bug.py"]\nforce-exclude = true\n')
    assert run(["bug.py", "clean.py", "--show-files"]) == 0
    assert capsys.readouterr().out == "clean.py\n"


def test_an_unknown_rule_of_a_file_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "shapecheck.toml").write_text('exclude = []\nignore = ["axis-mismach"]\n')
    assert run(["bug.py"]) == 2
    told = "shapecheck: shapecheck.toml:2: unknown rule 'axis-mismach'; did you mean 'axis-mismatch'?\n"
    assert capsys.readouterr().err == told


def test_the_device_of_a_confirmation_may_follow(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clean.py", "--confirm", "cpu"]) == 0
    assert run(["--confirm", "clean.py"]) == 0
    assert "no such file" not in capsys.readouterr().err


def test_each_option_of_check_stands_in_one_group() -> None:
    from shapecheck.cli.check import command

    named = [name for names in command.groups.values() for name in names.split()]  # type: ignore[attr-defined]
    options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    assert sorted(named) == sorted(set(named))
    assert [each.opts for each in options if not set(each.opts) & set(named)] == []
    assert set(named) <= {name for each in options for name in each.opts}
