"""The assembled interpreter: the semantics of Python's constructs, and a tracer that uses it."""

from __future__ import annotations

from shapecheck.dataflow.calls.dispatch import call
from shapecheck.dataflow.calls.library_models import run_model
from shapecheck.dataflow.interpreter.assignment import assign
from shapecheck.dataflow.interpreter.expressions import EXPRESSIONS
from shapecheck.dataflow.interpreter.model_context import ModelContext
from shapecheck.dataflow.interpreter.statements import STATEMENTS, execute
from shapecheck.dataflow.operators.subscripts import get_item
from shapecheck.dataflow.state.program import Program
from shapecheck.dataflow.tracer import Semantics, Tracer

SEMANTICS = Semantics(
    expressions=EXPRESSIONS,
    statements=STATEMENTS,
    execute=execute,
    assign=assign,
    call=call,
    get_item=get_item,
    run_model=run_model,
    model_context=ModelContext,
)


def new_tracer(program: Program) -> Tracer:
    """Return a new tracer of a program."""
    return Tracer(program, SEMANTICS)
