"""The language server in JupyterLab with jupyterlab-lsp, by the configuration in the documentation."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.chromium import free_port, needs_chromium, photograph, start, until, wide

pytestmark = [
    pytest.mark.slow,
    needs_chromium,
    pytest.mark.skipif(importlib.util.find_spec("jupyter_lsp") is None, reason="needs jupyterlab-lsp"),
]
ROOT = Path(__file__).parents[1]
CELLS = ["import numpy as np\nx = np.zeros((2, 3))", "y = x @ np.zeros((4, 5))"]
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def configuration() -> str:
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^```python\n(c\.LanguageServer.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert '"shapecheck", "server"' in found
    return str(found).replace('"shapecheck", "server"', f'"{sys.executable}", "-m", "shapecheck", "server"')


@pytest.fixture(name="lab")
def _lab(tmp_path: Path) -> Iterator[tuple[Any, str]]:
    """Return a browser, and the address of a folder in JupyterLab."""
    code = [{"cell_type": "code", "id": f"c{at}", "source": text} for at, text in enumerate(CELLS)]
    cells = [{"metadata": {}, "outputs": [], "execution_count": None, **cell} for cell in code]
    book = {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "cells.ipynb").write_text(json.dumps(book))
    (tmp_path / "main.py").write_text("\n".join(CELLS))
    (tmp_path / "jupyter_server_config.py").write_text(configuration())
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", f"--port={port}"]
    command += ["--ServerApp.ip=127.0.0.1", "--IdentityProvider.token=", "--config=jupyter_server_config.py"]
    home = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(command, cwd=tmp_path, env=home, stdout=log, stderr=log) as server,
    ):
        browser = start()
        try:
            until(lambda: "is running at" in (tmp_path / "log").read_text())
            wide(browser, 1400)
            yield browser, f"http://127.0.0.1:{port}/lab/tree"
        finally:
            browser.quit()
            server.terminate()


def test_files_and_notebooks(lab: tuple[Any, str]) -> None:
    browser, address = lab
    for name in ("main.py", "cells.ipynb"):
        browser.get(f"{address}/{name}?reset")
        marked = until(lambda: browser.find_elements("css selector", ".cm-lintRange-error"))
        assert [each.text for each in marked] == ["x @ np.zeros((4, 5))"]
        photograph(browser, f"jupyterlab-{name.split('.')[0]}")
