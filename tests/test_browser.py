"""The report in a headless Chromium: `make browser` runs this; without Chromium and Selenium nothing runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shapecheck.checker.pipeline import check
from shapecheck.checker.survey import surveys
from shapecheck.config import Config
from shapecheck.report.html import render
from shapecheck.report.html.page import FileSurvey, Page, Pictures, key_of
from shapecheck.source import Place, Source
from tests.support.chromium import needs_chromium, photograph, start, wide

keys = pytest.importorskip("selenium.webdriver").Keys
pytestmark = [pytest.mark.slow, needs_chromium]

EXAMPLES = Path(__file__).parents[1] / "examples"
MODEL = """
import keras
from keras import layers

model = keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(8, 3), layers.LSTM(4), layers.Dense(10)])
data = open("data.txt").read()
"""
WIDTHS = (420, 900, 1440)
CONTRAST = 4.5  # what WCAG asks of text, level AA
SCRIPT = """
const channels = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
const paper = element => {
  for (; element; element = element.parentElement) {
    const found = channels(getComputedStyle(element).backgroundColor);
    if (found.length < 4 || found[3] > .5) return found;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
};
const poor = new Set();
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.checkVisibility() || element.closest("svg, script, .hidden, .skip")) continue;
  const [a, b] = [light(channels(getComputedStyle(element).color)), light(paper(element))].sort((x, y) => y - x);
  const ratio = (a + .05) / (b + .05);
  if (ratio < arguments[0]) poor.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
}
return [...poor];
"""


@pytest.fixture(name="browser", scope="module")
def _browser() -> Iterator[Any]:
    driver = start()
    yield driver
    driver.quit()


@pytest.fixture(name="page", scope="module")
def _page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    model = tmp_path_factory.mktemp("programs") / "model.py"
    model.write_text(MODEL)
    config = Config(fixes=3)
    result = check([EXAMPLES, model], config)
    return Page(result.findings, surveys(result, config), ["gone.py: no such file"], "0")


@pytest.fixture(name="report")
def _report(page: Page, browser: Any, tmp_path: Path) -> Any:
    path = tmp_path / "report.html"
    path.write_text(render(page))
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []


def all_of(browser: Any, selector: str) -> list[Any]:
    """Return the visible elements."""
    return [element for element in browser.find_elements("css selector", selector) if element.is_displayed()]


def one(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def press(element: Any) -> None:
    """Follow a link, or open what is folded, by the keyboard."""
    element.send_keys(keys.ENTER)


def test_search_severities_and_groups(report: Any) -> None:
    cards = len(all_of(report, ".finding"))
    assert cards == 4
    one(report, "#search").send_keys("axis-mismatch")
    assert len(all_of(report, ".finding")) == 1
    assert one(report, "#shown").text == f"1 of {cards}"
    one(report, "#search").send_keys(" nowhere")
    assert one(report, "#nothing").is_displayed()
    one(report, "#search").clear()
    one(report, "#search").send_keys(" ")
    one(report, "#severities input[value=error]").click()
    assert {card.get_attribute("data-severity") for card in all_of(report, ".finding")} == {"warning"}
    one(report, "#severities input[value=error]").click()
    for by in ("rule", "cause", "file"):
        one(report, f"#group option[value={by}]").click()
        assert len(all_of(report, ".finding")) == cards
    assert all_of(report, ".group h3")[-1].text.startswith("examples/house_prices.py")


def test_a_finding_opens_with_its_drawings(report: Any) -> None:
    press(one(report, ".finding[data-file$='model.py'] summary"))
    for picture in all_of(report, ".picture > summary"):
        press(picture)
    assert len(all_of(report, ".finding[open] svg")) >= 2
    assert "fails" in one(report, ".finding[open] svg .fault").text


def test_keys_lead_through_the_report(report: Any) -> None:
    body = one(report, "body")
    body.send_keys("j")
    assert report.execute_script("return document.activeElement.closest('.finding').id") == "finding-0"
    report.switch_to.active_element.send_keys("j")
    report.switch_to.active_element.send_keys("k")
    report.switch_to.active_element.send_keys("\n")
    assert len(all_of(report, ".finding[open]")) == 1
    report.switch_to.active_element.send_keys("/")
    assert report.switch_to.active_element.get_attribute("id") == "search"


def test_a_source_with_its_margin_and_the_way_back(report: Any) -> None:
    press(one(report, ".tile[aria-label*='digits.py']"))
    assert one(report, "#source h2").text.endswith("digits.py")
    assert "flat (32, 2304)" in one(report, "[data-row='13'] .margin").text
    press(one(report, "#source .told a"))
    assert len(all_of(report, ".finding[open]")) == 1
    assert not one(report, "#source").is_displayed()
    report.back()
    assert one(report, "#source").is_displayed()
    one(report, "body").send_keys(keys.ESCAPE)
    assert one(report, "#report").is_displayed()


def test_what_is_lost_is_grey_and_tells_why(report: Any) -> None:
    press(one(report, ".tile[aria-label*='model.py']"))
    lost = one(report, "[data-row='6'] .note.gone")
    assert lost.get_attribute("title")


def test_dark_mode_follows_the_system_and_the_reader(report: Any) -> None:
    colour = "return getComputedStyle(document.body).backgroundColor"
    wide(report, 1200, "light")
    light = report.execute_script(colour)
    wide(report, 1200, "dark")
    dark = report.execute_script(colour)
    assert light != dark
    one(report, "#theme").click()
    assert report.execute_script(colour) == light
    report.execute_script("localStorage.clear()")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows_and_all_text_can_be_read(report: Any, width: int, theme: str) -> None:
    wide(report, width, theme)
    photograph(report, f"report-{width}-{theme}")
    report.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    for name, place in (("opened", ""), ("source", "#file=0"), ("line", "#file=3&line=5")):
        report.execute_script("location.hash = arguments[0]", place)
        report.execute_async_script("setTimeout(arguments[0], 100)")
        assert report.execute_script("return document.documentElement.scrollWidth") <= width
        assert report.execute_script(SCRIPT, CONTRAST) == []
        photograph(report, f"report-{width}-{theme}-{name}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_printed_on_white_with_all_findings_open(report: Any, theme: str) -> None:
    wide(report, 900, theme, "print")
    report.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert len(all_of(report, ".finding[open] .body")) == len(all_of(report, ".finding")) == 4
    assert not all_of(report, ".controls, #theme")
    assert report.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert report.execute_script("return document.documentElement.scrollWidth") <= 900
    photograph(report, f"report-print-{theme}")


def test_a_thousand_findings_open_in_a_second(page: Page, browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    path.write_text(render(many(page)))
    browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    browser.get(path.as_uri())
    told = {one["name"]: one["value"] for one in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    assert len(browser.find_elements("css selector", ".finding")) == 1000
    assert told["TaskDuration"] < 1  # of processor time, however busy the machine is


def many(page: Page) -> Page:
    """Return a page of 500 files with two findings each."""
    files: list[FileSurvey] = []
    findings = []
    while len(files) < 500:
        for finding in page.findings:
            before = next(file for file in page.files if file.source.filename == finding.place.filename)
            source = Source(f"folder_{len(files) // 25}/module_{len(files)}.py", before.source.text)
            pair = [
                replace(finding, code=code, place=Place(source, finding.place.start, finding.place.end))
                for code in (finding.code, "SHP999")
            ]
            findings += pair
            drawn = before.pictures.get(key_of(finding), Pictures())
            files.append(replace(before, source=source, pictures={key_of(each): drawn for each in pair}))
    return Page(findings[:1000], files[:500], [], "0")
