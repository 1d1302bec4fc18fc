"""The extension for VS Code: what its manifest declares is what its source uses, and it can be packaged."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from shapecheck.cli import COMMANDS

FOLDER = Path(__file__).parents[1] / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text())
SOURCE = "\n".join(path.read_text() for path in sorted((FOLDER / "src").glob("*.ts")))


def test_commands_are_registered_and_settings_are_read() -> None:
    declared = {each["command"] for each in MANIFEST["contributes"]["commands"]}
    assert set(re.findall(r'registerCommand\("([\w.]+)"', SOURCE)) == declared
    assert set(re.findall(r'item\.command = "([\w.]+)"', SOURCE)) <= declared
    keys = {key.partition(".")[2] for key in MANIFEST["contributes"]["configuration"]["properties"]}
    assert set(re.findall(r'settings\(\)\.get<[^>]+>\("(\w+)"', SOURCE)) == keys


def test_the_commands_of_shapecheck_exist() -> None:
    assert set(re.findall(r'\[\.\.\.words, "(\w+)"', SOURCE)) == {"server", "explain"}
    assert {"server", "explain"} <= set(COMMANDS)


@pytest.mark.slow
@pytest.mark.skipif(not (FOLDER / "node_modules").exists() or not shutil.which("npm"), reason="needs npm packages")
def test_package() -> None:
    subprocess.run(["npm", "run", "package"], cwd=FOLDER, check=True, capture_output=True)
    with zipfile.ZipFile(FOLDER / "shapecheck.vsix") as packed:
        assert {"extension/package.json", "extension/out/extension.js", "extension/out/LICENCES.txt"} <= set(
            packed.namelist()
        )
