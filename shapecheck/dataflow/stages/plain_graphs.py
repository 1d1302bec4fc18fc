"""Graphs that a program builds itself, in `with tf.Graph().as_default():`, and that no session runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.stage import EAGER, GRAPH, Stage
from shapecheck.domain.values import Ref, Value
from shapecheck.source import Source

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

RUNS = re.compile(r"session|\bsess\b|disable_(?:v2|eager)|wrap_function|\beval(?:uate)?\(|TestCase", re.IGNORECASE)
"""What runs such graphs, or makes all code part of one."""


def may_run(source: Source) -> bool:
    """Return whether a file may run graphs that a program builds itself."""
    return source.mentions(RUNS)


def stage_within(t: Tracer, managers: Iterable[Value], frame: Frame) -> Stage:
    """Return the stage of the body of a `with` statement."""
    classes = {manager.cls for manager in managers if isinstance(manager, Ref)}
    if "tf.init_scope" in classes:
        return EAGER
    if "tf.Graph" in classes and t.stage.is_eager and t.target.tensorflow != 1 and not may_run(frame.source):
        t.has_graphs = True
        return Stage(GRAPH)
    return t.stage
