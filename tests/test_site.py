"""The site can be built, and every link in it leads somewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.diagnostics import NOTICES
from shapecheck.rules.rule import all_rules

pytest.importorskip("mkdocs")
ROOT = Path(__file__).resolve().parent.parent


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for rule in (*all_rules(), *NOTICES):
        assert (tmp_path / "site" / "rules" / rule.name / "index.html").is_file()
    assert "positions.py" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
