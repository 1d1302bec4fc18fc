"""The report as one page that needs no network: its template, styles and script are files beside this one."""

from __future__ import annotations

from importlib.resources import files
from string import Template

from shapecheck.report.drawing.svg import styles
from shapecheck.report.html.data import file_data
from shapecheck.report.html.findings import cards
from shapecheck.report.html.overview import file_tiles, problems, rule_bars, totals
from shapecheck.report.html.page import Page

__all__ = ["render"]


def render(page: Page) -> str:
    """Return the page."""
    template = Template(_file("page.html"))
    return template.substitute(
        styles=_file("page.css") + styles(),
        script=_file("page.js"),
        version=page.version,
        totals=totals(page),
        problems=problems(page),
        rules=rule_bars(page),
        findings=cards(page),
        finding_count=len(page.findings),
        tiles=file_tiles(page),
        file_count=len(page.files),
        data=file_data(page),
    )


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
