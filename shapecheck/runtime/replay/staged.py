"""Replays of faults that staging makes: an excerpt of the program, and what the library must say of it.

Where the library says nothing, because the program is right but slow or its result is only missing, the excerpt counts
what happens and raises an `ObservedError` with the count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.models.lang.context import Target
from shapecheck.python_syntax import expression_of
from shapecheck.runtime.replay.excerpt import Excerpt, excerpt, extent
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.source import Place

_STRUCTURE = r"nested structure|same (number|type|structure)"
_OF_TYPES = r"to have been .*dtype|has dtype|with type|does not match type"

# The words of the library for each kind of fault. No other error confirms it.
SYMPTOMS: dict[ClashKind, str] = {
    ClashKind.BRANCHES: r"(main|else|body) branch|true_fn|branches\[|return statement cannot",
    ClashKind.DECLARED: r"yielded an element|nested structure|but Op is trying to write|returned by pyfunc"
    r"|expected to return|EagerPyFunc|shallow structure|requested dtype|Cannot convert|pyfunc",
    ClashKind.LEAKED_SYMBOLIC: r"out of scope|cannot be accessed|symbolic|KerasTensor|SymbolicTensor|Graph tensor",
    ClashKind.LOOP_SHAPE: r"before the loop|enters the loop with shape|shape invariant|Inconsistent shapes"
    r"|Incompatible shapes during merge|Incompatible shape for value|TensorArray",
    ClashKind.LOOP_STATE: r"out of scope|cannot be accessed",
    ClashKind.LOOP_TYPE: rf"{_STRUCTURE}|depend on a TF condition|started as non-Tensor|enters the loop with type"
    rf"|{_OF_TYPES}|None before the loop|TensorArray",
    ClashKind.NO_GRADIENT: r"No gradients provided|None values not supported|NoneType|non-persistent GradientTape"
    r"|value \(None\)|argument None has invalid type|None is not",
    ClashKind.SIGNATURE: r"Binding inputs to tf.function|was expected to be an? .* tensor|[Cc]an ?not cast"
    r"|[Ss]ignature",
    ClashKind.STATE: r"singleton tf.Variables|add new elements of state|non-first call|variables on the first call",
    ClashKind.SYMBOLIC_BOOL: r"as a Python `bool`|used as a boolean|`tf.bool` scalar|truth value",
    ClashKind.SYMBOLIC_ITERATION: r"Iterating over|not iterable|cannot be iterated|cannot iterate",
    ClashKind.SYMBOLIC_NUMPY: r"[Cc]annot convert a symbolic|KerasTensor|SymbolicTensor|with a sequence"
    r"|symbolic tensor",
    ClashKind.SYMBOLIC_PYTHON: r"SymbolicTensor|KerasTensor|symbolic|unhashable|non-integer|'Tensor' object",
    ClashKind.XLA: r"unsupported operations|compile-time constant|XLA|not compilable|No registered",
}
OBSERVED = frozenset({
    ClashKind.RETRACE_FUNCTION, ClashKind.RETRACE_SHAPE, ClashKind.RETRACE_VALUE, ClashKind.TRACE_EFFECT,
    ClashKind.TRACE_VALUE, ClashKind.UNROLLED,
})  # fmt: skip
STAGED = frozenset(SYMPTOMS) | OBSERVED

# Kinds that an execution reveals, wherever the function is that has the fault.
_LATER = frozenset({
    ClashKind.DECLARED, ClashKind.LEAKED_SYMBOLIC, ClashKind.LOOP_STATE, ClashKind.NO_GRADIENT, ClashKind.SIGNATURE,
    ClashKind.XLA,
})  # fmt: skip

_ERROR = ["class ObservedError(Exception):", "    pass", "", ""]
_COUNT_TRACES = [
    "replay_counts = dict(traces=0, calls=0)",
    "",
    "",
    "def note_trace(value=None):",
    '    replay_counts["traces"] += 1',
    "    return value",
    "",
    "",
    "def note_call(result):",
    '    replay_counts["calls"] += 1',
    '    if replay_counts["traces"] >= 5:',
    '        raise ObservedError("{traces} traces in {calls} calls".format(**replay_counts))',
    "    return result",
    "",
    "",
]
_COUNT_COPIES = [
    "from tensorflow import inside_function as is_copied",
    "",
    "replay_copies = []",
    "",
    "",
    "def note_copy():",
    "    replay_copies.append(is_copied())",
    "",
    "",
]
_COPIES_SHOWN = [
    "if sum(replay_copies) >= 100:",
    '    raise ObservedError(f"{sum(replay_copies)} iterations are copied into graphs")',
]
_COUNT_RUNS = [
    "from tensorflow import nest as replay_nest",
    "",
    "replay_runs, replay_calls = [], {}",
    "",
    "",
    "def note_run(value=None):",
    '    packages = {type(part).__module__.partition(".")[0] for part in replay_nest.flatten(value)}',
    '    if not packages & {"tensorflow", "keras", "tf_keras"}:',
    "        replay_runs.append(1)",
    "    return value",
    "",
    "",
    "def note_call(number, result):",
    "    replay_calls[number] = replay_calls.get(number, 0) + 1",
    "    return result",
    "",
    "",
]
_RUNS_SHOWN = [
    "if replay_runs and len(replay_runs) < max(replay_calls.values()):",
    '    raise ObservedError(f"Python executes it in {len(replay_runs)} of {max(replay_calls.values())} calls")',
]
_SEE_NONE = [
    "from tensorflow import nest as replay_nest",
    "",
    "",
    "def note_gradient(gradient):",
    "    missing = [part is None for part in replay_nest.flatten(gradient)]",
    "    if any(missing):",
    '        raise ObservedError(f"{sum(missing)} of {len(missing)} gradients are None")',
    "    return gradient",
    "",
    "",
]
_OF_TENSORFLOW_1 = re.compile(r"^(\s*)import tensorflow as (\w+)$")
_AS_COMPATIBLE = r"\1import tensorflow.compat.v1 as \2; \2.disable_v2_behavior()"
_GIVES_GRADIENT = re.compile(r"\.(gradients?|jacobian|batch_jacobian)$")


@dataclass(frozen=True, slots=True)
class Staged:
    """A program, the lines of it that the fault is in, and the words of the error that shows it.

    A program that `refutes` nothing may run without an error, though the finding is right.
    """

    text: str
    first: int
    last: int
    symptom: str
    modules: tuple[str, ...]
    legacy_keras: bool
    refutes: bool


def staged(clash: Clash, target: Target) -> Staged:
    """Return the replay of a fault of staging; raises Unrenderable."""
    place = clash.step.place
    root = clash.step.frames[0].place if clash.step.frames else place
    if root.source.filename != place.source.filename:
        raise Unrenderable("is in a module that the program imports")
    made = excerpt(root)
    above, below, is_evident = _observe(made, clash)
    legacy = target.keras == 2 or "tf_keras" in _packages(made)
    header = [f"# {place}: {_printable(clash.message)}", *_header(legacy), *(_ERROR if above else []), *above]
    first, last = _span(made, clash)
    return Staged(
        text="\n".join([*header, *_for_version(made.lines(), target), *below]) + "\n",
        first=len(header) + made.line_of(first),
        last=len(header) + made.line_of(last),
        symptom="" if clash.step.name == "raise" else SYMPTOMS.get(clash.kind, r"(?!)"),
        modules=_modules(_packages(made), legacy),
        legacy_keras=legacy,
        refutes=is_evident and not made.is_partial,
    )


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _header(legacy: bool) -> list[str]:
    lines = ["import os", "", 'os.environ["TF_USE_LEGACY_KERAS"] = "1"'] if legacy else []
    return [*lines, ""]


def _for_version(lines: list[str], target: Target) -> list[str]:
    """Return the lines with TensorFlow 1 under its present name, if they are written for it."""
    if target.tensorflow != 1 or any("compat.v1" in line for line in lines):
        return lines
    changed = [_OF_TENSORFLOW_1.sub(_AS_COMPATIBLE, line) for line in lines]
    if changed == lines:
        raise Unrenderable("imports TensorFlow 1 in parts")
    return changed


def _modules(packages: frozenset[str], legacy: bool) -> tuple[str, ...]:
    if not packages:
        raise Unrenderable("uses no library")
    if packages == {"keras"}:
        return ("keras",)
    return ("tensorflow", "tf_keras" if legacy else "keras")


def _packages(made: Excerpt) -> frozenset[str]:
    """Return the libraries that an excerpt imports, of those that replays are run with."""
    found = set()
    for unit in made.units:
        for node in ast.walk(unit.node):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
    return frozenset(found & {"tensorflow", "keras", "tf_keras"})


# --- where the fault is ----------------------------------------------------------------------------------------------


def _span(made: Excerpt, clash: Clash) -> tuple[int, int]:
    """Return the first and the last row of the code that the error must come from: the function with the fault, or
    what is run last."""
    row = made.source.position(clash.step.place.start)[0]
    if clash.step.name == "raise":
        return row, row
    around = list(_functions_around(made, row))
    if clash.kind in _LATER or not around:
        return made.root.rows[0], made.root.rows[-1]
    return around[-1].lineno, around[-1].end_lineno or row


def _functions_around(made: Excerpt, row: int) -> Iterator[ast.FunctionDef]:
    """Yield the functions whose code includes a row, from the outermost."""
    for node in ast.walk(made.module):
        if isinstance(node, ast.FunctionDef) and node.lineno <= row <= (node.end_lineno or node.lineno):
            yield node


# --- observation -----------------------------------------------------------------------------------------------------


def _observe(made: Excerpt, clash: Clash) -> tuple[list[str], list[str], bool]:
    """Add what counts to an excerpt; return the lines that belong above and below it, and whether an execution without
    an error shows that there is no fault."""
    match clash.kind:
        case ClashKind.RETRACE_FUNCTION | ClashKind.RETRACE_SHAPE | ClashKind.RETRACE_VALUE:
            _wrap(made, clash.step.place, "note_call(")
            _note_traces(made, clash.step.name)
            return _COUNT_TRACES, [], True
        case ClashKind.UNROLLED:
            _note_copies(made, clash.step.place)
            return _COUNT_COPIES, _COPIES_SHOWN, True
        case ClashKind.TRACE_EFFECT | ClashKind.TRACE_VALUE:
            _note_runs(made, clash)
            return _COUNT_RUNS, _RUNS_SHOWN, False
        case ClashKind.NO_GRADIENT if _is_gradient(clash.step.place):
            _wrap(made, clash.step.place, "note_gradient(")
            return _SEE_NONE, [], True
        case ClashKind.NO_GRADIENT | ClashKind.LOOP_STATE if clash.claim is None:
            raise Unrenderable("raises no error, but has another result")
    return [], [], True


def _wrap(made: Excerpt, place: Place, opening: str) -> None:
    made.wrap(place.start, place.end, opening)


def _is_gradient(place: Place) -> bool:
    return _GIVES_GRADIENT.search(place.text.partition("(")[0]) is not None


def _note_traces(made: Excerpt, name: str) -> None:
    """Count the executions of a function's code by Python, each of which is a trace."""
    if name == "<lambda>":
        found = [node for node in _kept(made) if isinstance(node, ast.Call) and _is_traced_lambda(node)]
        if len(found) != 1:
            raise Unrenderable("calls a function that cannot be found")
        body = found[0].args[0].body  # type: ignore[attr-defined]
        made.wrap(*extent(made.source, body), "note_trace(")
        return
    functions = [node for node in _kept(made) if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(functions) != 1:
        raise Unrenderable(f"calls {name}, which cannot be found")
    _note_first(made, functions[0], "note_trace()")


def _is_traced_lambda(node: ast.Call) -> bool:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return called == "function" and bool(node.args) and isinstance(node.args[0], ast.Lambda)


def _kept(made: Excerpt) -> Iterator[ast.AST]:
    for unit in made.units:
        yield from ast.walk(unit.node)


def _note_first(made: Excerpt, node: ast.FunctionDef | ast.For | ast.While, statement: str) -> None:
    """Add a statement at the beginning of the code of a function or loop."""
    if node.body[0].lineno == node.lineno:
        raise Unrenderable("is written in one line")
    made.insert(_first_row(node.body[0]), statement)


def _first_row(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _note_copies(made: Excerpt, place: Place) -> None:
    """Count the iterations of a loop, those of the innermost one in it."""
    row = made.source.position(place.start)[0]
    loop = next((node for node in _kept(made) if isinstance(node, ast.For | ast.While) and node.lineno == row), None)
    if loop is None:
        raise Unrenderable("has a loop that cannot be found")
    inner = [node for node in ast.walk(loop) if isinstance(node, ast.For)]
    _note_first(made, inner[-1] if inner else loop, "note_copy()")


def _note_runs(made: Excerpt, clash: Clash) -> None:
    """Count how often Python does something that is not an operation of a library, and each call on the way to it."""
    place = clash.step.place
    row = made.source.position(place.start)[0]
    around = list(_functions_around(made, row))
    inside = [node for node in ast.walk(around[-1]) if isinstance(node, ast.stmt)] if around else []
    statements = [node for node in inside if node.lineno <= row <= (node.end_lineno or row) and node is not around[-1]]
    if not statements or not clash.step.frames:
        raise Unrenderable("is not in a function that the program calls")
    if _stores(statements[-1]):
        made.insert(_first_row(statements[-1]), "note_run()")
    elif expression_of(place.text) is not None:
        _wrap(made, place, "note_run(")
    else:
        raise Unrenderable("is a statement whose effect is not observed")
    for number, frame in enumerate(clash.step.frames):
        if frame.place.source.filename == made.source.filename:
            _wrap(made, frame.place, f"note_call({number}, ")


def _stores(node: ast.stmt) -> bool:
    """Return whether a statement changes a part of an object, or a number with a name."""
    if isinstance(node, ast.AugAssign):
        return True
    return isinstance(node, ast.Assign) and not any(isinstance(target, ast.Name) for target in node.targets)
