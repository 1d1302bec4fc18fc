"""Replays of faults that staging makes: an excerpt of the program, and what the library must say of it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph
from shapecheck.domain.values import Seq, Tensor, Value
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.packs import replays_of
from shapecheck.runtime.replay.excerpt import Excerpt, Sample, excerpt, functions_around
from shapecheck.runtime.replay.observation import SAVED, observe
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.source import Place, Source

_STRUCTURE = r"nested structure|same (number|type|structure)"
_OF_TYPES = r"to have been .*dtype|has dtype|with type|does not match type"

OF_NUMPY = frozenset({"numpy", "scipy", "sklearn"})
"""Libraries of NumPy's arrays, which may be all that an excerpt needs."""

_OF_SHAPES = (
    r"shapes?|size|dimension|rank|structure|in_axes|\baxis|\baxes|incompatible|broadcast|scalar|real- or complex-valued"
    r"|\bdims?\b|truth value|features|samples|[12][dD] array|positional argument"
)

# The words of the library for each kind of fault. No other error confirms it.
SYMPTOMS: dict[ClashKind, str] = {
    ClashKind.BRANCHES: r"(main|else|body) branch|branch outputs|true_fn|branches\[|return statement cannot",
    ClashKind.CALL: r"positional argument|keyword argument|multiple values|required keyword",
    ClashKind.DECLARED: r"yielded an element|nested structure|but Op is trying to write|returned by pyfunc"
    r"|expected to return|EagerPyFunc|shallow structure|requested dtype|Cannot convert|pyfunc|must return a `tf.bool`",
    ClashKind.LEAKED_SYMBOLIC: r"out of scope|cannot be accessed|symbolic|KerasTensor|SymbolicTensor|Graph tensor"
    r"|not an element of this graph|from the same graph",
    ClashKind.LOOP_SHAPE: r"before the loop|enters the loop with shape|shape invariant|Inconsistent shapes"
    r"|Incompatible shapes during merge|Incompatible shape for value|TensorArray",
    ClashKind.LOOP_STATE: r"out of scope|cannot be accessed",
    ClashKind.LOOP_TYPE: rf"{_STRUCTURE}|depend on a TF condition|started as non-Tensor|enters the loop with type"
    rf"|{_OF_TYPES}|None before the loop|TensorArray|for the new state must match|components of the initial state",
    ClashKind.NO_GRADIENT: r"No gradients provided|None values not supported|NoneType|non-persistent GradientTape"
    r"|value \(None\)|argument None has invalid type|None is not",
    ClashKind.SEQUENCES: r"can only concatenate|unsupported operand|bad operand|not supported between|has no attribute"
    r"|can't multiply sequence",
    ClashKind.SIGNATURE: r"Binding inputs to tf.function|was expected to be an? .* tensor|[Cc]an ?not cast"
    r"|input_signature|matching concrete function|for which to generate a signature",
    ClashKind.STATIC_SIZE: r"NoneType|None values|value \(None\)|elements of .*None|got None|=None"
    r"|partially known TensorShape|unknown (rank|TensorShape)|contains no shape|rank = None|Cannot infer argument",
    ClashKind.STATE: r"singleton tf.Variables|add new elements of state|non-first call|variables on the first call"
    r"|Unknown variable",
    ClashKind.SYMBOLIC_BOOL: r"as a Python `bool`|used as a boolean|`tf.bool` scalar|truth value",
    ClashKind.SYMBOLIC_ITERATION: r"Iterating over|not iterable|cannot be iterated|cannot iterate",
    ClashKind.SYMBOLIC_NUMPY: r"[Cc]annot convert a symbolic|KerasTensor|SymbolicTensor|with a sequence"
    r"|symbolic tensor",
    ClashKind.SYMBOLIC_PYTHON: r"SymbolicTensor|KerasTensor|symbolic|unhashable|non-integer|'Tensor' object"
    r"|ndarray' object has no attribute|file handle|fname must be|file path or buffer|numpy\(\) is only",
    ClashKind.UNTRACKED: r"untracked",
    ClashKind.XLA: r"unsupported operations|compile-time constant|XLA|not compilable|shapes of loop body|No registered",
}
OBSERVED = frozenset({
    ClashKind.GRADIENT_SUMMED, ClashKind.REPLICA_LOSS, ClashKind.RETRACE_FUNCTION, ClashKind.RETRACE_SHAPE,
    ClashKind.RETRACE_VALUE, ClashKind.TRACE_EFFECT, ClashKind.TRACE_VALUE, ClashKind.UNROLLED,
})  # fmt: skip
STAGED = frozenset(SYMPTOMS) | OBSERVED

# Kinds that an execution reveals, wherever the function is that has the fault.
_LATER = frozenset({
    ClashKind.DECLARED, ClashKind.LEAKED_SYMBOLIC, ClashKind.LOOP_STATE, ClashKind.NO_GRADIENT, ClashKind.SIGNATURE,
    ClashKind.UNTRACKED, ClashKind.XLA,
})  # fmt: skip

_SAMPLED = frozenset({"float32", "float64", "int32", "int64", "uint8", "bool"})
_OF_TENSORFLOW_1 = re.compile(r"^(\s*)import tensorflow as (\w+)$")
_AS_COMPATIBLE = r"\1import tensorflow.compat.v1 as \2; \2.disable_v2_behavior()"


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


def staged(graph: Graph, clash: Clash, target: Target) -> Staged:
    """Return the replay of a fault of staging; raises Unrenderable."""
    place = clash.step.place
    root = clash.step.frames[0].place if clash.step.frames else place
    if root.source.filename != place.source.filename:
        raise Unrenderable("is in a module that the program imports")
    if clash.kind is ClashKind.UNTRACKED:
        root, place = (_in_memory(each, place) for each in (root, place))
    made = excerpt(root, _samples(graph, root.source), place)
    above, below, is_evident = observe(made, clash)
    legacy = target.keras == 2 or "tf_keras" in _packages(made)
    header = [f"# {place}: {_printable(clash.message)}", *_header(legacy), *above]
    first, last = _span(made, clash)
    lines = _for_version(made.lines(), target)
    header += ["import numpy as replay_np"] if any("replay_np" in line for line in lines) else []
    return Staged(
        text="\n".join([*header, *lines, *below]) + "\n",
        first=len(header) + made.line_of(first),
        last=len(header) + made.line_of(last) if last else 0,
        symptom="" if clash.step.name == "raise" else _symptom(clash, made),
        modules=_modules(_packages(made), legacy),
        legacy_keras=legacy,
        refutes=is_evident
        and not (made.is_partial or clash.guards or clash.tolerated or _is_silent(clash) or _remembers(lines)),
    )


def _symptom(clash: Clash, made: Excerpt) -> str:
    """Return the words of the error, which a pack has for its own library."""
    own = (replays_of(name) for name in sorted(_packages(made)))
    told = next((replays.symptoms.get(clash.kind.value) for replays in own if replays is not None), None)
    return told or SYMPTOMS.get(clash.kind, _OF_SHAPES if clash.kind not in STAGED else r"(?!)")


def _in_memory(place: Place, call: Place) -> Place:
    """Return a place in the program that only builds what a call saves; all else keeps its place."""
    name, text = call.text.partition("(")[0], call.source.text
    changed = text[: call.start] + SAVED.ljust(len(name)) + text[call.start + len(name) :]
    return Place(Source(call.source.filename, changed), place.start, place.end)


def _is_silent(clash: Clash) -> bool:
    """Return whether a fault raises no error, and no count shows it."""
    return clash.claim is None and clash.kind is ClashKind.XLA


def _remembers(lines: list[str]) -> bool:
    """Return whether functions give the results of earlier calls, which may not be in the excerpt."""
    return any(re.match(r"\s*@(functools\.)?(lru_)?cache\b", line) for line in lines)


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
    own = sorted(replays.module for name in packages if (replays := replays_of(name)) is not None)
    if own:
        return (own[0], *sorted(packages - {own[0]}))
    if packages - OF_NUMPY == {"keras"}:
        return ("keras",)
    if packages <= OF_NUMPY:
        return ("numpy", *sorted(packages - {"numpy"}))
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
    return frozenset(name for name in found if name in OF_CORE or replays_of(name) is not None)


OF_CORE = ("tensorflow", "keras", "tf_keras", *OF_NUMPY)


# --- what is read from outside ---------------------------------------------------------------------------------------


def _samples(graph: Graph, source: Source) -> Sample:
    """Return a function from the extent of an expression to an array, or several, of the inferred shape."""
    results = {
        (step.place.start, step.place.end): step.result
        for step in graph.steps
        if step.kind == "op" and step.place.filename == source.filename
    }
    return lambda start, end: _sample(results.get((start, end)))


def _sample(value: Value | None) -> str:
    """Return the code for arrays of a known shape; empty for anything else."""
    match value:
        case Tensor(library="np", shape=shape, dtype=dtype) if shape.is_ranked and dtype in _SAMPLED:
            if all(isinstance(size, int) for size in shape.sizes):
                return f'replay_np.zeros({shape.sizes}, "{dtype}")'
        case Seq(kind="tuple" | "list", items=items):
            parts = [_sample(item) for item in items]
            return f"({', '.join(parts)},)" if parts and all(parts) else ""
    return ""


# --- where the fault is ----------------------------------------------------------------------------------------------


def _span(made: Excerpt, clash: Clash) -> tuple[int, int]:
    """Return the first and the last row of the code that the error must come from: the function with the fault, or
    the statement that is run last. The last row is 0 where only a later execution reveals the fault."""
    row = made.source.position(clash.step.place.start)[0]
    if clash.step.name == "raise":
        return row, row
    around = list(functions_around(made, row))
    if clash.kind in _LATER:
        return made.root.rows[0], 0
    if not around:
        return made.root.rows[0], made.root.rows[-1]
    return around[-1].lineno, around[-1].end_lineno or row
