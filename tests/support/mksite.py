"""The pages that the site has in addition to docs/: the README as its first page, and the pages of the rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from shapecheck.diagnostics import NOTICES
from shapecheck.rules.rule import all_rules

ROOT = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    for name, text in made().items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Reduce links to files that the site does not have to their text."""
    return _LINK.sub(lambda link: link[1] if link[2].startswith("../") else link[0], markdown)


def made() -> dict[str, str]:
    """Return pages by name."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rules = (*all_rules(), *NOTICES)
    index = "".join(
        f"| {rule.code} | [{rule.name}]({rule.name}.md) | {rule.severity.value} | {rule.summary} |\n" for rule in rules
    )
    head = "# Rules\n\n| code | rule | severity | reports |\n|---|---|---|---|\n"
    return {"index.md": _LINK.sub(_on_site, readme), "rules/index.md": head + index} | {
        f"rules/{rule.name}.md": _LINK.sub(_between_rules, rule.page) for rule in rules
    }


def _between_rules(link: re.Match[str]) -> str:
    """Return a link from one rule's page to another's: on the site they lie in one folder, by name."""
    return f"[{link[1]}]({Path(link[2]).stem.replace('_', '-')}.md{link[3] or ''})"


def _on_site(link: re.Match[str]) -> str:
    target = link[2]
    return f"[{link[1]}]({target.removeprefix('docs/')})" if target.startswith("docs/") else link[1]
