"""Checks in replays of legal but suspicious calls: the predicted shapes, and the pattern in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.domain.values import Tensor
from shapecheck.models.lang.packs import replays_of
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.runtime.replay.sizes import Numbers
from shapecheck.runtime.replay.write import Writer
from shapecheck.shapes.size import Symbol, symbols

Sizes: TypeAlias = "tuple[int, ...]"
ExpectedSizes: TypeAlias = "tuple[int | None, ...]"


def write_checks(writer: Writer, clash: Clash, numbers: Numbers) -> None:
    """Add assertions that the operands and the result have the predicted shapes, and that the operand has the values of
    the pattern; raises Unrenderable if nothing can be compared, or if the pattern does not occur at these sizes."""
    operands = [(tensor, _sizes(tensor, numbers)) for tensor in _operands(clash)]
    result = _result(clash, numbers)
    if not shows(clash.kind, [sizes for _, sizes in operands], result):
        raise Unrenderable("the pattern does not occur with the chosen sizes")
    checks: dict[str, tuple[Tensor, ExpectedSizes]] = {
        writer.tensor(tensor): (tensor, sizes) for tensor, sizes in operands
    }
    if isinstance(clash.step.result, Tensor) and result is not None:
        known = frozenset().union(*(tensor.shape.symbols() for tensor, _ in operands))
        wanted = _followed(clash.step.result, result, known)
        checks[writer.tensor(clash.step.result)] = clash.step.result, wanted
    if not checks:
        raise Unrenderable("there is no shape to compare")
    if writer.program.dialect.v1:
        _write_in_session(writer, {name: wanted for name, (_, wanted) in checks.items()})
        return
    has_inputs = any(name.endswith(".Input") for name in writer.program.names)
    for name, (tensor, wanted) in checks.items():
        is_symbolic = has_inputs or tensor.library == "keras"
        writer.program.add(_compared(f"tuple({name}.shape)", wanted, is_symbolic))
    if clash.kind == ClashKind.SOFTMAX_AS_LOGITS and operands and operands[-1][0].library != "keras":
        name, has_methods = writer.tensor(operands[-1][0]), replays_of(operands[-1][0].library) is not None
        if not has_methods:
            writer.program.roots.add("np")
        least, most = (f"{name}.min()", f"{name}.max()") if has_methods else (f"np.min({name})", f"np.max({name})")
        writer.program.add(f"assert {least} >= 0 and {most} <= 1, {name}")


def _write_in_session(writer: Writer, checks: Mapping[str, ExpectedSizes]) -> None:
    program = writer.program
    program.roots.add("np")
    program.add(f"with {program.library('tf.Session')}() as session:")
    program.add(f"    session.run({program.library('tf.global_variables_initializer')}())")
    names = list(checks)
    program.add(f"    shapes = [np.shape(value) for value in session.run([{', '.join(names)}])]")
    if None not in [size for wanted in checks.values() for size in wanted]:
        program.add(f"assert shapes == {list(checks.values())}, shapes")
        return
    for position, wanted in enumerate(checks.values()):
        program.add(_compared(f"shapes[{position}]", wanted))


def _compared(shape: str, wanted: ExpectedSizes, is_symbolic: bool = False) -> str:
    """Return the assertion that a shape is the expected one, where None stands for any size; Keras leaves sizes open
    too."""
    if None not in wanted and not is_symbolic:
        return f"assert {shape} == {wanted}, {shape}"
    same = "have is None or want in (have, None)" if is_symbolic else "want in (have, None)"
    pairs = f"zip({shape}, {wanted}, strict=True)"
    return f"assert all({same} for have, want in {pairs}), {shape}"


def _followed(tensor: Tensor, sizes: Sizes, known: frozenset[Symbol]) -> ExpectedSizes:
    """Return the sizes of a result, with None for those that depend on lost sizes of no operand."""
    return tuple(
        None if any(symbol.kind.is_lost and symbol not in known for symbol in symbols(size)) else number
        for size, number in zip(tensor.shape.sizes, sizes, strict=True)
    )


def shows(kind: ClashKind, operands: list[Sizes], result: Sizes | None) -> bool:
    """Return whether the pattern of a kind occurs at these sizes; always true for other kinds."""
    if kind == ClashKind.STRETCH_BOTH:
        return result is not None and all(prod(result) > prod(sizes) for sizes in operands)
    if kind == ClashKind.ROWS_CHANGED:
        return result is not None and any(sizes[:1] != result[:1] for sizes in operands)
    if kind in (ClashKind.AXES_REORDERED, ClashKind.HEADS_MERGED, ClashKind.BATCH_LAST):
        return result is not None and all(sizes != result for sizes in operands)
    if kind == ClashKind.BATCH_CROSSED:
        return len({len(sizes) for sizes in operands}) > 1
    if kind == ClashKind.SIZE1_AXIS:
        return any(1 in sizes for sizes in operands)
    return True


def _operands(clash: Clash) -> Iterator[Tensor]:
    seen = set()
    for _, tensor in clash.step.operands():
        if tensor.shape.is_ranked and tensor.role not in ("sparse", "ragged") and tensor not in seen:
            seen.add(tensor)
            yield tensor


def _result(clash: Clash, numbers: Numbers) -> Sizes | None:
    result = clash.step.result
    return _sizes(result, numbers) if isinstance(result, Tensor) and result.shape.is_ranked else None


def _sizes(tensor: Tensor, numbers: Numbers) -> Sizes:
    return tuple(numbers.of_axis(size) for size in tensor.shape.sizes)
