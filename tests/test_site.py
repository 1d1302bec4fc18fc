"""The site can be built, and all of its links are valid."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.diagnostics import NOTICES
from shapecheck.rules.rule import all_rules

pytest.importorskip("mkdocs")
ROOT = Path(__file__).resolve().parent.parent


def build(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Run a strict build; without `--quiet`, with which mkdocs counts no warnings."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    ran = build(ROOT, tmp_path / "site")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "WARNING" not in ran.stderr
    for rule in (*all_rules(), *NOTICES):
        assert (tmp_path / "site" / "rules" / rule.name / "index.html").is_file()
    assert "positions.py" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", ["missing.md", "index.md#missing"])
def test_a_broken_link_is_a_warning(tmp_path: Path, link: str) -> None:
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    validation = settings[settings.index("validation:") : settings.index("nav:")]
    (tmp_path / "mkdocs.yml").write_text(f"site_name: x\n{validation}", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "index.md"
    page.write_text("# x\n", encoding="utf-8")
    assert build(tmp_path, tmp_path / "site").returncode == 0
    page.write_text(f"# x\n\n[y]({link})\n", encoding="utf-8")
    assert build(tmp_path, tmp_path / "site").returncode != 0
