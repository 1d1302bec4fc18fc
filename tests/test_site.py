"""The site can be built, and all of its links are valid."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.diagnostics import NOTICES
from shapecheck.rules.rule import all_rules

pytest.importorskip("material")
ROOT = Path(__file__).resolve().parent.parent


def build(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Run a strict build; without `--quiet`, with which mkdocs counts no warnings."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # of the theme, about the future of mkdocs
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=quiet)


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("built") / "site"
    ran = build(ROOT, site)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "WARNING" not in ran.stderr
    return site


def test_the_site_has_all_pages_and_loads_nothing_from_elsewhere(site: Path) -> None:
    for rule in (*all_rules(), *NOTICES):
        assert (site / "rules" / rule.name / "index.html").is_file()
    first = (site / "index.html").read_text(encoding="utf-8")
    assert "positions.py" in first
    assert re.findall(r'<(?:script|link)[^>]*(?:src|href)="(?:https?:)?//', first) == []
    report = (site / "example-report.html").read_text(encoding="utf-8")
    assert 'data-file="examples/digits.py"' in report


def test_the_search_finds_a_rule_by_its_code(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    titled = [each for each in index["docs"] if "SHP101" in each["title"]]
    assert [(each["location"], each["boost"]) for each in titled] == [("rules/axis-mismatch/", 3)]


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
