"""Options, configuration files, and which files a path stands for."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from shapecheck.config import BadConfig, Config, override
from shapecheck.config_files import from_table, load, nearest
from shapecheck.config_keys import schema
from shapecheck.project.discovery import find


def shows(config: Config, code: str = "SHP101", name: str = "axis-mismatch", severity: str = "error") -> bool:
    return config.shows(code, name, "mismatch", severity)


@pytest.mark.parametrize(
    ("config", "severity", "expected"),
    [
        (Config(), "error", True),
        (Config(), "info", False),
        (Config(min_severity="info"), "info", True),
        (Config(min_severity="error"), "warning", False),
        (Config(extend_select=("axis-mismatch",)), "info", True),
        (Config(select=("SHP2",)), "error", False),
        (Config(select=("SHP2",), extend_select=("mismatch",)), "error", True),
        (Config(select=("SHP1",), ignore=("SHP101",)), "error", False),
        (Config(select=("SHP101",), ignore=("SHP1",)), "error", True),
        (Config(ignore=("shp10",)), "error", False),
        (Config(ignore=("ALL",), select=("mismatch",)), "error", True),
        (Config(ignore=("axis",)), "error", True),
        (Config(), "perf", True),
        (Config(ignore=("perf",)), "perf", False),
        (Config(ignore=("perf",)), "warning", True),
        (Config(select=("perf",)), "perf", True),
        (Config(select=("perf",)), "error", False),
        (Config(select=("axis-mismatch",), ignore=("perf",)), "perf", True),
        (Config(min_severity="perf"), "perf", True),
        (Config(min_severity="warning"), "perf", False),
        (Config(min_severity="perf"), "info", False),
    ],
)
def test_selection(config: Config, severity: str, expected: bool) -> None:
    assert shows(config, severity=severity) is expected


def test_the_nearest_file_wins_and_one_without_our_table_is_passed_by(tmp_path: Path) -> None:
    (tmp_path / "shapecheck.toml").write_text('select = ["SHP1"]\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert nearest([inner]).select == ("SHP1",)
    (tmp_path / "a" / "pyproject.toml").write_text('[tool.shapecheck]\nper-file-ignores = {"b/*" = ["mismatch"]}\n')
    config = nearest([inner / "x.py"])
    assert config.root == tmp_path / "a"
    assert config.ignores_in(str(inner / "x.py")) == ("mismatch",)
    assert config.ignores_in(str(tmp_path / "a" / "x.py")) == ()


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"selct": []}, "unknown key 'selct'; did you mean 'select'?"),
        ({"select": "SHP1"}, "select must be a list of strings"),
        ({"target": {"keras": 3}}, "target.keras must be a string"),
        ({"per-file-ignores": []}, "per-file-ignores must be a table"),
        ({"min-severity": "fatal"}, "min-severity must be one of"),
        ({"force-exclude": "yes"}, "force-exclude must be true or false"),
        ({"jobs": 0}, "jobs must be a number of at least 1"),
        ({"output-format": "xml"}, "output-format must be one of text, concise"),
        ({"extend": "gone.toml"}, "there is no file gone.toml"),
        ({"tool": {"shapecheck": {}}}, "keys stand at the top of this file, not in [tool.shapecheck]"),
    ],
)
def test_mistakes_are_named(table: dict[str, object], told: str) -> None:
    with pytest.raises(BadConfig, match=r"where: ") as caught:
        from_table(table, "where", Path())
    assert told in str(caught.value)
    assert Draft7Validator(schema()).is_valid(table) == ("extend" in table)  # a schema knows no files


def test_the_schema_takes_what_the_configuration_takes() -> None:
    table = {
        "select": ["SHP1"],
        "per-file-ignores": {"tests/*": ["SHP2"]},
        "target": {"keras": "3.15"},
        "force-exclude": True,
        "output-format": "json",
        "jobs": 2,
        "baseline": "known.json",
    }
    config = from_table(table, "where", Path("/project"))
    assert (config.output_format, config.jobs, config.baseline) == ("json", 2, Path("/project/known.json"))
    Draft7Validator(schema()).validate(table)


def test_mistakes_have_a_line(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.other]\nselct = 1\n\n[tool.shapecheck]\nexclude = []\nselct = ["SHP1"]\n')
    with pytest.raises(BadConfig) as caught:
        nearest([tmp_path])
    assert str(caught.value) == f"{file}:6: [tool.shapecheck]: unknown key 'selct'; did you mean 'select'?"
    file.write_text('[tool.shapecheck.per-file-ignores]\n"tests/*" = "SHP1"\n')
    with pytest.raises(
        BadConfig, match=r":2: .*the rules for 'tests/\*' in per-file-ignores must be a list of strings"
    ):
        nearest([tmp_path])


def test_files_extend_others_but_not_one_another(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('select = ["SHP1"]\nmin-severity = "error"\n')
    (tmp_path / "shapecheck.toml").write_text('extend = "base.toml"\nselect = ["SHP2"]\n')
    config = nearest([tmp_path])
    assert (config.select, config.min_severity) == (("SHP2",), "error")
    assert config.files == (tmp_path / "base.toml", tmp_path / "shapecheck.toml")
    (tmp_path / "base.toml").write_text('extend = "shapecheck.toml"\n')
    with pytest.raises(BadConfig, match="the files extend one another"):
        load(tmp_path / "base.toml")


def test_malformed_toml_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "shapecheck.toml").write_text("select = [")
    with pytest.raises(BadConfig, match=r"shapecheck\.toml"):
        nearest([tmp_path])


def test_options_replace_only_what_they_give() -> None:
    config = override(Config(select=("SHP1",), min_severity="error"), select=(), ignore=("SHP2",), min_severity=None)
    assert (config.select, config.ignore, config.min_severity) == (("SHP1",), ("SHP2",), "error")


# --- files -----------------------------------------------------------------------------------------------------------


def tree(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def names(root: Path, config: Config | None = None) -> list[str]:
    return [file.relative_to(root).as_posix() for file in find([root], config or Config(root=root)).files]


def test_folders_are_walked_in_order_and_without_foreign_code(tmp_path: Path) -> None:
    tree(tmp_path, "b.py", "a/c.py", "a/data.txt", ".venv/x.py", "env/pyvenv.cfg", "env/x.py", "__pycache__/y.py")
    assert names(tmp_path) == ["a/c.py", "b.py"]


def test_gitignore_at_every_level_and_negation(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.py", "a/keep.py", "a/deep/gen.py", "b/x.py", "out/z.py")
    (tmp_path / ".gitignore").write_text("out/\nx.py\n")
    (tmp_path / "a" / ".gitignore").write_text("!x.py\ndeep/gen.py\n")
    assert names(tmp_path) == ["a/keep.py", "a/x.py"]


def test_gitignore_above_the_folder_counts_inside_a_work_tree(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/x.py", "pkg/y.py")
    (tmp_path / ".gitignore").write_text("pkg/x.py\n")
    assert names(tmp_path / "pkg") == ["x.py", "y.py"]
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert names(tmp_path / "pkg") == ["y.py"]


def test_exclude_wins_over_everything_but_a_named_file(tmp_path: Path) -> None:
    tree(tmp_path, "old/x.py", "new/x.py")
    (tmp_path / ".gitignore").write_text("!old/\n")
    config = Config(exclude=("old/",), root=tmp_path)
    assert names(tmp_path, config) == ["new/x.py"]
    assert find([tmp_path / "old" / "x.py"], config).files == (tmp_path / "old" / "x.py",)


def test_a_file_counts_once(tmp_path: Path) -> None:
    tree(tmp_path, "x.py")
    assert len(find([tmp_path / "x.py", tmp_path, tmp_path / ".." / tmp_path.name], Config()).files) == 1


def test_what_cannot_be_followed_is_told(tmp_path: Path) -> None:
    tree(tmp_path, "x.py")
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    found = find([tmp_path, tmp_path / "missing"], Config())
    assert [file.name for file in found.files] == ["x.py"]
    assert found.problems == (
        f"{tmp_path}/gone.py: broken symbolic link",
        f"{tmp_path}/missing: no such file or folder",
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_locked_folder_is_told(tmp_path: Path) -> None:
    tree(tmp_path, "locked/x.py", "y.py")
    (tmp_path / "locked").chmod(0)
    found = find([tmp_path], Config())
    assert [file.name for file in found.files] == ["y.py"]
    assert found.problems == (f"{tmp_path}/locked: Permission denied",)


def test_a_named_folder_is_checked_though_it_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("env/\n")
    package = tmp_path / "env" / "package"
    package.mkdir(parents=True)
    (package / "a.py").write_text("import numpy as np\n")
    (tmp_path / "b.py").write_text("import numpy as np\n")
    assert [path.name for path in find([tmp_path], Config()).files] == ["b.py"]
    assert [path.name for path in find([package], Config()).files] == ["a.py"]
