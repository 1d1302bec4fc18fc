"""How findings are shown, one format per file; a format knows nothing of how a finding was judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapecheck.findings import Finding
from shapecheck.report import concise, json, text

__all__ = ["FORMATS"]

FORMATS: dict[str, Callable[[Sequence[Finding], bool], str]] = {
    "text": text.render,
    "concise": concise.render,
    "json": json.render,
    "jsonl": json.render_lines,
}
"""From findings, and whether colours are wanted, to the text that is written."""
