"""Recipes of packages, beside what `pyproject.toml` says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jinja2
import pytest
import yaml

from shapecheck import __version__, toml

ROOT = Path(__file__).resolve().parent.parent
HADOLINT = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
PROJECT = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def has_docker() -> bool:
    docker = shutil.which("docker")
    return docker is not None and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0


def test_the_recipe_for_conda_has_the_version_and_the_dependencies_of_the_project() -> None:
    folder = ROOT / "packaging" / "conda"

    def read(name: str, from_recipe_dir: bool) -> str:
        return (folder / name).read_text(encoding="utf-8")

    functions = {
        "load_file_data": lambda name, **where: toml.loads(read(name, **where)),
        "load_file_regex": lambda name, pattern, **where: re.search(pattern, read(name, **where)),
        "PYTHON": "python",
    }
    recipe = yaml.safe_load(jinja2.Template(read("meta.yaml", True)).render(functions))
    assert recipe["package"] == {"name": PROJECT["name"], "version": __version__}
    wanted = {re.split(r"[^\w-]", requirement)[0] for requirement in PROJECT["dependencies"]}
    assert {requirement.split(">")[0].strip() for requirement in recipe["requirements"]["run"]} == {"python", *wanted}
    assert recipe["build"]["entry_points"] == ["shapecheck = shapecheck.cli:main"]
    assert (folder / recipe["source"]["path"]).resolve() == ROOT


def test_an_image_is_built_of_files_that_are_there() -> None:
    kept = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    needed = {"pyproject.toml", "shapecheck", PROJECT["readme"], *PROJECT["license-files"]}
    assert set(kept) == needed
    assert all((ROOT / name).exists() for name in kept)


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_hadolint_finds_nothing_in_the_image() -> None:
    ran = subprocess.run([str(HADOLINT), ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(not has_docker(), reason="no images can be built")
def test_the_image_checks_a_folder(tmp_path: Path) -> None:
    (tmp_path / "bug.py").write_text("import numpy as np\n\nx = np.zeros(3, 4)\n")
    subprocess.run(["docker", "build", "--quiet", "--tag", "shapecheck-test", ROOT], check=True, capture_output=True)
    command = ["docker", "run", "--rm", "--volume", f"{tmp_path}:/code:ro", "shapecheck-test", "."]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stderr
    assert "bug.py:3:5: error[rank-mismatch]" in ran.stdout
