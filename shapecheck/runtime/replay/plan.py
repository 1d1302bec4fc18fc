"""Plans of replays: for a clash, the smallest program of the same library calls that reproduces it.

A plan is a text; the worker processes find out whether the libraries agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import Ref, Tensor, Value
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.packs import replays_of
from shapecheck.models.lang.parameter_kinds import Reading
from shapecheck.models.lang.registry import lookup, lookup_operator
from shapecheck.runtime.replay.feeds import is_model_feed, is_session_feed, write_model_feed, write_session_feed
from shapecheck.runtime.replay.patterns import write_checks
from shapecheck.runtime.replay.program import Dialect, Unrenderable
from shapecheck.runtime.replay.sizes import Numbers, choose
from shapecheck.runtime.replay.slicing import BackwardSlicer
from shapecheck.runtime.replay.staged import STAGED, staged
from shapecheck.runtime.replay.verdict import Expectation, Mode
from shapecheck.runtime.replay.write import Writer
from shapecheck.shapes.facts import claim_symbols

LONGEST_CHAIN = 60
CORE_KINDS = frozenset({"tf", "np", "keras"})
"""The kinds of arrays of TensorFlow, NumPy and Keras; packs tell how replays make theirs."""

# Names that only TensorFlow 1 has, so that a program that uses them is written for it.
_ONLY_V1 = re.compile(
    r"tf\.(placeholder\w*|Session|InteractiveSession|get_variable|variable_scope|layers|contrib|ConfigProto|log|div"
    r"|global_variables_initializer|initialize_all_variables|random_(normal|uniform|shuffle|crop)|truncated_normal"
    r"|to_(float|double|int32|int64)|matrix_\w+|sparse_(placeholder|to_dense)|nn\.(rnn_cell|(static|dynamic)_rnn)"
    r"|nn\.\w+_v2|nn\.xw_plus_b|train\.\w+Optimizer|image\.resize_(images|bilinear|nearest_neighbor|bicubic|area)"
    r"|losses\.\w+_(loss|cross_entropy|error|difference)|summary\.\w+|assign\w*|is_(nan|inf|finite)|ceil|mod|multinomial)"
    r"(\..*)?"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A standalone program, and its expected outcome.

    The fault is at `fault_line` or below. `library` ("numpy", "tensorflow" or "keras") is its subject, `modules` its
    imports and `names` the library names that must exist, each as "module:path". `modes` are the ways to run it, in
    this order, until one reproduces the fault. A program with a `guessed` value refutes nothing, nor does one for a
    version that is `dated`. `fallback` is another form, to try if this one cannot be run, and `computed` one whose
    operands are computed as the program does, to try if this one shows no error: more than shapes may matter. The error
    of a fault of staging has the words of `symptom` and comes from a line up to `fault_end`, from any later one if that
    is 0; that of an excerpt with another fault may come from a function that is `called` there.
    """

    program: str
    fault_line: int
    library: str
    modules: tuple[str, ...]
    names: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ("plain",)
    expects: Expectation = "error"
    legacy_keras: bool = False
    guessed: bool = False
    dated: bool = False
    fallback: Plan | None = None
    computed: Plan | None = None
    fault_end: int = 0
    symptom: str = ""
    called: bool = False


Form = Literal["operation", "chain"]


def plan(graph: Graph, clash: Clash, target: Target, *, full: bool = False) -> Plan | str:
    """Return the replay of a clash, or the reason why there is none.

    The short form generates the operands of the failing step, with the inferred shapes; the full form computes them as
    the program does. A pattern uses the full form if possible, since the shapes of its operands are to be confirmed.
    """
    if clash.step.name.startswith("keras.applications.") and clash.step.name.rpartition(".")[2][:1].isupper():
        return "a published model is not downloaded for a replay"
    foreign = next((kind for _, tensor in clash.step.operands() if not _is_replayed(kind := tensor.library)), None)
    if foreign is not None:
        return f"the arrays are of {foreign}, which is not replayed"
    is_of_scope = clash.step.name == "tf.get_variable" and clash.kind == ClashKind.SET_SHAPE
    if clash.kind in STAGED or is_of_scope:  # it depends on what was made before in a variable scope
        return _staged(graph, clash, target)
    slicer = BackwardSlicer(graph)
    is_open = clash.kind == ClashKind.UNBUILT  # the operand must come with the sizes that are not known beforehand
    forms: list[Form] = ["chain", "operation"] if full or is_open or clash.claim is None else ["operation"]
    plans, reason = _in_forms(slicer, clash, target, forms)
    computed = [] if not plans or "chain" in forms else _in_forms(slicer, clash, target, ["chain"])[0]
    needs_program = not plans or _is_of_pack(clash)
    excerpt = _staged(graph, clash, target) if clash.claim is not None and needs_program else reason
    if isinstance(excerpt, Plan):
        plans.append(excerpt)
    if not plans:
        return reason or excerpt
    return replace(_linked(plans), computed=_linked(computed) if computed else None)


def _in_forms(slicer: BackwardSlicer, clash: Clash, target: Target, forms: list[Form]) -> tuple[list[Plan], str]:
    """Return the replays in these forms, and the reason why one of them cannot be written."""
    dialects = _dialects(slicer.chain(clash.step), target)
    plans = []
    reason = ""
    for form in forms:
        for dialect in dialects:
            made = _planned(slicer, clash, dialect, form)
            if isinstance(made, Plan):
                plans.append(replace(made, dated=target.tensorflow == 1 and _is_dated(clash)))
            else:
                reason = reason or made
    return plans, reason


def _is_of_pack(clash: Clash) -> bool:
    """Return whether the failing operation is of a pack, whose calls may need functions and classes of the program."""
    return replays_of(clash.step.name) is not None


def _is_replayed(kind: str) -> bool:
    return kind in CORE_KINDS or replays_of(kind) is not None


def _of_pack(modules: tuple[str, ...]) -> str:
    """Return the library of a replay that imports these modules, "" if it is one of the core."""
    return modules[0] if replays_of(modules[0]) is not None else ""


def _staged(graph: Graph, clash: Clash, target: Target) -> Plan | str:
    """Return the replay of a fault of staging, which is an excerpt of the program."""
    try:
        made = staged(graph, clash, target)
    except Unrenderable as error:
        return str(error)
    return Plan(
        program=made.text,
        fault_line=made.first,
        fault_end=made.last,
        symptom=made.symptom,
        called=clash.kind not in STAGED,
        library=_of_pack(made.modules) or made.modules[0],
        modules=made.modules,
        expects="staged",
        legacy_keras=made.legacy_keras,
        guessed=not made.refutes,
    )


def _is_dated(clash: Clash) -> bool:
    """Return whether TensorFlow 1 is stricter about such a call than TensorFlow 2; both agree on which sizes must be
    equal."""
    root, _, rest = clash.step.name.partition(".")
    model = lookup(clash.step.name) or lookup_operator(root, rest)
    reads = [parameter.reading for parameter in model.definition.parameters] if model is not None else []
    return clash.kind == ClashKind.UNBUILT or (Reading.TARGET in reads and clash.kind != ClashKind.AXIS)


def repro(graph: Graph, clash: Clash, target: Target) -> str:
    """Return a program for the user to keep: the full replay, or a comment with the reason why there is none."""
    made = plan(graph, clash, target, full=True)
    return made.program if isinstance(made, Plan) else f"# not reproducible: {made}\n"


def _linked(plans: list[Plan]) -> Plan:
    """Return the first plan, with the others as fallbacks where they differ."""
    last: Plan | None = None
    for made in reversed(plans):
        if last is None or made.program != last.program or made.legacy_keras != last.legacy_keras:
            last = replace(made, fallback=last)
    assert last is not None
    return last


def _dialects(chain: list[Step], target: Target) -> list[Dialect]:
    """Return the dialects that the last of these steps may belong to, most likely first."""
    legacy, step = target.keras == 2, chain[-1]
    is_told = target.tensorflow is not None
    if target.tensorflow == 1 or (not is_told and any(_ONLY_V1.fullmatch(earlier.name) for earlier in chain)):
        return [Dialect(v1=True, legacy_keras=True)]
    if target.tensorflow is None and step.name.startswith("tf."):
        return [Dialect(legacy_keras=legacy), Dialect(v1=True, legacy_keras=True)]
    any_backend = not legacy and not any(earlier.name.startswith("tf.") for earlier in chain)
    if target.keras is None and step.name.startswith("keras."):
        return [Dialect(any_backend=any_backend), Dialect(legacy_keras=True)]
    return [Dialect(legacy_keras=legacy, any_backend=any_backend)]


def _planned(slicer: BackwardSlicer, clash: Clash, dialect: Dialect, form: Form) -> Plan | str:
    try:
        return _written(slicer, clash, dialect, form)
    except Unrenderable as error:
        return str(error)


def _written(slicer: BackwardSlicer, clash: Clash, dialect: Dialect, form: Form) -> Plan:
    if is_session_feed(clash):
        dialect = Dialect(v1=True, legacy_keras=True)
    numbers, writer = _before(slicer, clash, dialect, form)
    if is_session_feed(clash):
        fault = write_session_feed(writer, clash)
    elif is_model_feed(clash):
        fault = write_model_feed(writer, clash)
    else:
        fault = writer.write_strictly(clash.step)
    if clash.claim is None:
        write_checks(writer, clash, numbers)
    else:
        _explain(writer, fault, clash)
        _run_in_session(writer, clash)
        _run_as_model(writer, clash)
    return _finished(writer, fault, clash)


def _before(slicer: BackwardSlicer, clash: Clash, dialect: Dialect, form: Form) -> tuple[Numbers, Writer]:
    """Write the program up to the failing step."""
    steps = slicer.chain(clash.step) if form == "chain" else slicer.objects(clash.step)
    if form == "operation" and is_session_feed(clash):
        steps = [clash.step]  # the fetches do not matter
    if len(steps) > LONGEST_CHAIN:
        steps = slicer.objects(clash.step)
    earlier = _earlier_call(slicer, clash)
    numbers = choose(clash, [value for step in (*steps, *earlier) for value in _values(step)] + list(clash.operands))
    fixed = None if clash.claim is None else claim_symbols(clash.claim)
    writer = Writer(slicer, numbers, dialect, fixed, clash.guards)
    writer.prepare([*steps[:-1], *earlier, clash.step])
    for step in [*steps[:-1], *(call for call in earlier if call not in steps)]:
        writer.write(step)
    return numbers, writer


def _earlier_call(slicer: BackwardSlicer, clash: Clash) -> list[Step]:
    """Return the call by which a layer remembered the sizes of the clash."""
    if clash.kind != ClashKind.LAYER_INPUT or not clash.step.args:
        return []
    owner = clash.step.args[0]
    call = slicer.first_call(owner, clash.step.id) if isinstance(owner, Ref) else None
    return [call] if call is not None else []


def _values(step: Step) -> list[Value]:
    result = [step.result] if isinstance(step.result, Tensor) else []
    return [*step.given, *result]


def _explain(writer: Writer, fault: int, clash: Clash) -> None:
    message = " ".join(clash.message.split())
    if message:
        writer.program.body[fault] += f": {message}"


def _run_in_session(writer: Writer, clash: Clash) -> None:
    """Run operations of TensorFlow 1 that fail only when they are run."""
    program, result = writer.program, clash.step.result
    if not program.dialect.v1 or "tf" not in program.roots or is_session_feed(clash) or is_model_feed(clash):
        return
    if any(name.endswith(":tf.placeholder") for name in program.names):
        return
    if result is None or (isinstance(result, Tensor) and result.library == "tf"):
        name = program.body[-1].partition(" = ")[0]
        if name.isidentifier():
            program.add(f"with {program.library('tf.Session')}() as session:")
            program.add(f"    session.run({program.library('tf.global_variables_initializer')}())")
            program.add(f"    session.run({name})")


def _run_as_model(writer: Writer, clash: Clash) -> None:
    """Run Keras layers that fail only on real numbers."""
    program = writer.program
    name = program.body[-1].partition(" = ")[0]
    if not name.isidentifier() or not re.fullmatch(r"keras\.layers\..*\.__call__", clash.step.name):
        return
    inputs = [(text, tensor) for tensor, text in writer.made.items() if tensor.library == "keras"]
    if not inputs or clash.kind == ClashKind.UNBUILT or any(tensor.shape.tail is not None for _, tensor in inputs):
        return
    model, texts = program.fresh("model"), ", ".join(text for text, _ in inputs)
    program.add(f"{model} = {program.library('keras.Model')}([{texts}], {name})")
    zeros = [f"{program.library('np.zeros')}({writer.sizes(tensor)}{_whole(tensor)})" for _, tensor in inputs]
    program.add(f"{model}.predict([{', '.join(zeros)}], verbose=0)")


def _whole(tensor: Tensor) -> str:
    return f', dtype="{tensor.dtype}"' if tensor.dtype in ("int32", "int64") else ""


def _expected(clash: Clash) -> Expectation:
    if clash.kind in (ClashKind.DTYPES_MIXED, ClashKind.DTYPE, ClashKind.NOT_INTEGER):
        return "dtype error"
    return "result" if clash.claim is None else "error"


def _finished(writer: Writer, fault: int, clash: Clash) -> Plan:
    program = writer.program
    modules = program.modules()
    of_core = "numpy" if modules == ("numpy",) else "keras" if modules != ("tensorflow",) else "tensorflow"
    library = _of_pack(modules) or of_core
    v1 = program.dialect.v1 and library in ("tensorflow", "keras")
    runs_model = is_model_feed(clash) or program.body[-1].endswith("verbose=0)")
    plain_only = library not in ("tensorflow", "keras") or v1 or clash.claim is None or runs_model
    return Plan(
        program=program.text(),
        fault_line=len(program.header()) + fault + 1,
        library=library,
        modules=modules,
        names=tuple(program.names),
        modes=("plain",) if plain_only else ("graph", "plain"),
        expects=_expected(clash),
        legacy_keras=program.is_legacy,
        guessed=writer.values.has_guessed,
    )
