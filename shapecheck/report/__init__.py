"""Output formats of findings, one per file; a format knows nothing of how a finding was judged."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapecheck.report.result import Run

__all__ = ["render"]


def render(form: str, run: Run) -> str:
    """Return the report in a format; each is a module with a function from a run to the text."""
    text: str = import_module(f"shapecheck.report.{form}").render(run)
    return text
