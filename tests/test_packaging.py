"""Recipes of packages, beside what `pyproject.toml` says."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import yaml

from shapecheck import __version__, toml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


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
