"""Findings, made of a clash and the words that a rule chose for it."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.dataflow.graph.clash import Assumption
from shapecheck.domain.values import Const, Guard, Int, Value
from shapecheck.findings import Certainty, Finding, Operand, Severity
from shapecheck.rules.agreement import agreeing
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.expression_text import shortened
from shapecheck.rules.operand_names import first_line
from shapecheck.shapes.facts import Not, Verdict, claim_symbols
from shapecheck.shapes.size import is_lost
from shapecheck.shapes.solve import witness
from shapecheck.shapes.text import show
from shapecheck.source import Place

_OR_STALE = "correct this, or the annotation that it contradicts"
_IF = {
    Assumption.OLD_KERAS: "the version of Keras that the program is for, an older one, checks it",
    Assumption.OLD_NUMPY: "the version of NumPy, for Python 2, takes no floats for integers",
    Assumption.NEW_TORCH: "PyTorch 0.5 or later runs the program; write .item()",
    Assumption.DEFAULTS: "the object and the call have the defaults of their parameters",
    Assumption.BATCHES: "the layers are given batches, not single samples",
    Assumption.RUN: "the graph is run, which the test only builds",
}
_LONGEST_ORIGIN = 60
_MOST_OPERANDS = 6
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is": "is not", "is not": "is"}


def finding_of(
    call: Call, words: Words, code: str, name: str, category: str, severity: Severity, *, brief: bool = False
) -> Finding:
    """Return the finding; its certainty and severity follow from the clash, not from the rule alone. A `brief` one has
    no witness."""
    clash = call.clash
    if clash.verdict is Verdict.NEVER:
        certainty = Certainty.PROVED
    else:
        certainty = Certainty.PATTERN if clash.claim is None else Certainty.WITNESS
    if (certainty is not Certainty.PROVED or clash.assumed is not None) and severity is Severity.ERROR:
        severity = Severity.WARNING
    return Finding(
        code,
        name,
        category,
        Severity.INFO if clash.tolerated else severity,
        certainty,
        clash.step.place,
        agreeing(first_line(call, words.message)),
        operands=tuple(_operands(call)),
        call_path=clash.step.frames,
        guards=(*_guards(clash.guards), *([_IF[clash.assumed]] if clash.assumed in _IF else [])),
        witness={} if brief else _witness(call),
        help=_OR_STALE if clash.assumed is Assumption.ANNOTATION else words.help,
        step=clash.step.id,
        fixes=() if words.fix is None else (words.fix,),
    )


def _operands(call: Call) -> Iterator[Operand]:
    arguments = [argument for argument in call.arguments if argument.tensor.step or argument.shape.known]
    yield from dict.fromkeys(_operand(call, argument) for argument in arguments[:_MOST_OPERANDS])


def _operand(call: Call, argument: Argument) -> Operand:
    """Return the operand, with its origin unless it is made right there."""
    text, shape = shortened(argument.text, _LONGEST_ORIGIN), show(argument.shape)
    made = call.maker(argument.tensor)
    if made is None or _lies_in(made.place, call.step.place):
        return Operand(text, shape)
    return Operand(text, shape, made.place, shortened(made.place.text, _LONGEST_ORIGIN))


def _lies_in(inner: Place, outer: Place) -> bool:
    within = inner.filename == outer.filename and outer.start <= inner.start and inner.end <= outer.end
    return within and inner != outer


def _witness(call: Call) -> dict[str, int]:
    """Return sizes for which the call fails, if it depends on any."""
    clash = call.clash
    if clash.claim is None or clash.facts is None:
        return {}
    wanted = claim_symbols(clash.claim).union(*(argument.shape.symbols() for argument in call.arguments))
    if all(symbol.kind.is_lost for symbol in wanted):
        return {}
    values = witness(clash.facts, Not(clash.claim), wanted) or {}
    named: dict[str, int] = {}
    for symbol in sorted(values, key=lambda symbol: symbol.serial):
        if not symbol.kind.is_lost and symbol in wanted:
            named.setdefault(symbol.name, values[symbol])
    return named


def _guards(guards: Guard) -> Iterator[str]:
    """Return the expressible conditions of the path: comparisons of numbers and constants."""
    for condition, truth in guards:
        if isinstance(condition, tuple):
            sign, left, right = condition
            sides = (_shown(left), _shown(right))
            if None not in sides and sign in _OPPOSITE:
                yield f"{sides[0]} {sign if truth else _OPPOSITE[sign]} {sides[1]}"


def _shown(value: Value) -> str | None:
    if isinstance(value, Const):
        return repr(value.value)
    return str(value.size) if isinstance(value, Int) and not is_lost(value.size) else None
