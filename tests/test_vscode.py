"""The extension for VS Code: what its manifest declares is what its source uses, and it can be packaged."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.cli import COMMANDS
from tests.support.chromium import free_port, needs_chromium, photograph, start, until, wide

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text())
SOURCE = "\n".join(path.read_text() for path in sorted((FOLDER / "src").glob("*.ts")))

CODE_SERVER = os.environ.get("CODE_SERVER") or shutil.which("code-server")
PROGRAM = "import numpy as np\n\nx = np.zeros((2, 3))\ny = np.ones((64, 5))\nz = x @ y\n"
SETTINGS = {
    "shapecheck.command": [sys.executable, "-m", "shapecheck"],
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "chat.commandCenter.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
}


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


@pytest.fixture(name="window")
def _window(tmp_path: Path) -> Iterator[Any]:
    """Open a folder in the VS Code of code-server, with the extension installed."""
    package = FOLDER / "shapecheck.vsix"
    if not package.exists():
        pytest.skip("the extension is not packaged: make vscode")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "main.py").write_text(PROGRAM)
    (tmp_path / "data" / "User").mkdir(parents=True)
    (tmp_path / "data" / "User" / "settings.json").write_text(json.dumps(SETTINGS))
    folders = ["--extensions-dir", str(tmp_path / "extensions"), "--user-data-dir", str(tmp_path / "data")]
    home = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [str(CODE_SERVER), *folders]
    subprocess.run([*command, "--install-extension", str(package)], env=home, check=True, capture_output=True)
    port = free_port()
    quiet = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check"]
    with (tmp_path / "log").open("w") as log, subprocess.Popen([*command, *quiet], env=home, stdout=log) as server:
        browser = start()
        try:
            until(lambda: "listening on" in (tmp_path / "log").read_text())
            wide(browser, 1400)
            browser.get(f"http://127.0.0.1:{port}/?folder={tmp_path / 'project'}")
            yield browser
        finally:
            browser.quit()
            server.terminate()


def texts(window: Any, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent.replace(/\\u00a0/g, ' '))"
    found: list[str] = window.execute_script(script, selector)
    return found


@pytest.mark.slow
@pytest.mark.skipif(CODE_SERVER is None, reason="there is no code-server")
@needs_chromium
def test_in_a_window(window: Any) -> None:
    """Findings with links to their rules, and shapes that the item of the status bar hides and shows."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    def acts_on(selector: str, text: str, act: Callable[[Any], object]) -> bool:
        """Act on the first element with a text, and return whether there is one."""
        for each in window.find_elements("css selector", selector):
            if text in each.text:
                act(each)
                return True
        return False

    def open_file(row: Any) -> None:
        ActionChains(window).double_click(row).perform()

    def follow(link: Any) -> None:
        ActionChains(window).key_down(Keys.CONTROL).click(link).key_up(Keys.CONTROL).perform()

    def are_shapes_shown() -> bool:
        return any("z: (2, 5)" in line or "x: (2, 3)" in line for line in texts(window, ".view-line"))

    def click_the_item() -> None:
        until(lambda: acts_on(".statusbar-item a", "shapes", lambda item: item.click()))

    until(lambda: acts_on(".explorer-folders-view .monaco-list-row", "main.py", open_file))
    until(are_shapes_shown)
    until(lambda: window.find_elements("css selector", ".squiggly-error"))
    photograph(window, "vscode-shapes")
    click_the_item()
    until(lambda: not are_shapes_shown())
    click_the_item()
    until(are_shapes_shown)
    chord = ActionChains(window).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("m")
    chord.key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
    until(lambda: "axis-mismatch" in texts(window, ".markers-panel a"))
    photograph(window, "vscode-problems")
    until(lambda: acts_on(".markers-panel a", "axis-mismatch", follow))
    until(lambda: any("What it does" in line for line in texts(window, ".view-line")))
    photograph(window, "vscode-rule")
