"""The pages that the site has in addition to docs/: the README as its first page, the pages of the rules, and the
report on the examples."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from shapecheck import __version__
from shapecheck.checker.pipeline import check
from shapecheck.checker.survey import surveys
from shapecheck.config import Config
from shapecheck.diagnostics import NOTICES
from shapecheck.report.html import render
from shapecheck.report.html.page import Page
from shapecheck.report.result import RuleDescription
from shapecheck.rules.rule import all_rules

ROOT = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#]+)(#[^)]*)?\)")

_CELL = re.compile(r"<td.*?</td>", re.DOTALL)
_LONG_CODE = re.compile(r"(?<=<code>)[^<\s]{24,}(?=</code>)")


def on_files(files: Files, config: Any) -> Files:
    for name, text in made().items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Reduce links to files that the site does not have to their text."""
    return _LINK.sub(lambda link: link[1] if link[2].startswith("../") else link[0], markdown)


def on_page_content(html: str, **_: object) -> str:
    """Let long paths and names in tables break where their parts end."""
    return _CELL.sub(lambda cell: _LONG_CODE.sub(lambda code: re.sub(r"([/_.])", r"\1<wbr>", code[0]), cell[0]), html)


def report() -> str:
    """Return the page that `shapecheck report` makes of the examples."""
    config, folder = Config(fixes=3), os.path.relpath(ROOT / "examples")
    result = check([folder], config)
    return render(Page(result.findings, surveys(result, config), (), __version__)).replace(folder, "examples")


def made() -> dict[str, str]:
    """Return pages by name."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rules = (*all_rules(), *NOTICES)
    index = "".join(
        f"| {rule.code} | [{rule.name}]({rule.name}.md) | {rule.severity.value} | {rule.summary} |\n" for rule in rules
    )
    head = "# Rules\n\n| code | rule | severity | reports |\n|---|---|---|---|\n"
    pages = {"index.md": _LINK.sub(_on_site, readme), "rules/index.md": head + index, "example-report.html": report()}
    return pages | {f"rules/{rule.name}.md": _rule_page(rule) for rule in rules}


def _rule_page(rule: RuleDescription) -> str:
    """Return the page of a rule with its code in the title, by which the search finds it first."""
    page = _LINK.sub(_between_rules, rule.page)
    title, _, rest = page.partition("\n")
    assert title == f"# {rule.name}"
    return f"---\ntitle: {rule.code} {rule.name}\nsearch:\n  boost: 3\n---\n\n# {rule.code} {rule.name}\n{rest}"


def _between_rules(link: re.Match[str]) -> str:
    """Return a link from one rule's page to another's: on the site they lie in one folder, by name."""
    return f"[{link[1]}]({Path(link[2]).stem.replace('_', '-')}.md{link[3] or ''})"


def _on_site(link: re.Match[str]) -> str:
    target = link[2]
    return f"[{link[1]}]({target.removeprefix('docs/')})" if target.startswith("docs/") else link[1]
