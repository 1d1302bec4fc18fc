"""The clash behind a finding, for tests of replays."""

from __future__ import annotations

from pathlib import Path

from shapecheck.checker import confirm as confirming
from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph


def clash_of(text: str, folder: Path, rule: str) -> tuple[Graph, Clash]:
    """Return the clash of the only finding of a rule."""
    path = folder / "a.py"
    path.write_text(text)
    result = check([path], Config(extend_select=(rule,)), replayable=True)
    found = [finding for finding in result.findings if finding.name == rule]
    assert len(found) == 1, result.findings
    clash = confirming._clash(result, found[0])
    assert clash is not None
    return result.tracers[id(found[0])].graph, clash
