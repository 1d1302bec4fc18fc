"""The site can be built, and all of its links are valid."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.diagnostics import NOTICES
from shapecheck.rules.rule import all_rules
from tests.support.chromium import free_port, needs_chromium, photograph, start, until, wide

pytest.importorskip("material")
ROOT = Path(__file__).resolve().parent.parent

TABLES = """return [...document.querySelectorAll('.md-typeset__scrollwrap')].map(e => e.scrollWidth - e.clientWidth)
  .filter(beyond => beyond > 0)"""
WRAPPED = "return [...document.querySelectorAll('article table')].every(e => e.closest('.md-typeset__scrollwrap'))"
NARROW = 700  # pixels; on a telephone a table may be moved within its page


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
    assert [each["location"] for each in titled if each.get("boost") == 3] == ["rules/axis-mismatch/"]


@pytest.fixture(name="pages", scope="module")
def _pages(site: Path) -> Iterator[tuple[Any, str]]:
    """Return a browser, and the address of the site."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(site), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        browser = start()
        try:
            yield browser, f"http://127.0.0.1:{port}"
        finally:
            browser.quit()
            server.terminate()


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 900, 1440])
def test_pages_and_their_tables_fit(pages: tuple[Any, str], width: int, theme: str) -> None:
    browser, address = pages
    wide(browser, width, theme)
    for name in ("", "integrations", "found", "rules", "ops/np.random", "configuration", "rules/axis-mismatch"):
        browser.get(f"{address}/{name}/")
        until(lambda: browser.execute_script(WRAPPED))
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, name
        beyond = browser.execute_script(TABLES)
        assert not beyond or width < NARROW, f"{name}: {beyond} pixels of a table are beyond its page"
        photograph(browser, f"site-{width}-{theme}-{name.replace('/', '-') or 'start'}")
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 300) == (theme == "dark")
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("text", ["SHP101", "axis-mismatch"])
def test_the_search_finds_a_rule_at_once(pages: tuple[Any, str], text: str) -> None:
    browser, address = pages
    wide(browser, 1440)
    browser.get(f"{address}/")
    browser.execute_script("document.querySelector('label[for=__search]').click()")
    field = browser.find_element("css selector", ".md-search__input")
    until(field.is_displayed)
    field.send_keys(text)
    found = until(lambda: browser.find_elements("css selector", ".md-search-result__item a"))
    photograph(browser, f"site-search-{text}")
    assert "/rules/axis-mismatch/" in found[0].get_attribute("href")


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
