"""What a replay of a legal but suspicious call must show: the shapes that were predicted, and the pattern in them."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from shapecheck.dataflow.clash import Clash
from shapecheck.runtime.program import Unrenderable
from shapecheck.runtime.sizes import Numbers
from shapecheck.runtime.write import Writer
from shapecheck.values import Tensor

Sizes = tuple[int, ...]


def write_checks(writer: Writer, clash: Clash, numbers: Numbers) -> None:
    """Adds assertions that the operands and the result have the predicted shapes; raises Unrenderable where there is
    nothing to compare, or where the pattern does not show at these sizes."""
    operands = [(tensor, _sizes(tensor, numbers)) for tensor in _operands(clash)]
    result = _result(clash, numbers)
    if not shows(clash.kind, [sizes for _, sizes in operands], result):
        raise Unrenderable("the pattern does not show at the sizes that were chosen")
    checks = {writer.tensor(tensor): sizes for tensor, sizes in operands}
    if isinstance(clash.step.result, Tensor) and result is not None:
        checks[writer.tensor(clash.step.result)] = result
    if not checks:
        raise Unrenderable("there is no shape to compare")
    if writer.program.dialect.v1:
        _write_in_session(writer, checks)
    else:
        for name, sizes in checks.items():
            writer.program.add(f"assert tuple({name}.shape) == {sizes}, {name}.shape")


def _write_in_session(writer: Writer, checks: dict[str, Sizes]) -> None:
    program = writer.program
    program.roots.add("np")
    program.add(f"with {program.library('tf.Session')}() as session:")
    program.add(f"    session.run({program.library('tf.global_variables_initializer')}())")
    names = list(checks)
    program.add(f"    shapes = [np.shape(value) for value in session.run([{', '.join(names)}])]")
    program.add(f"assert shapes == {list(checks.values())}, shapes")


def shows(kind: str, operands: list[Sizes], result: Sizes | None) -> bool:
    """Whether sizes show the pattern of a kind; a kind that is not known here shows always."""
    if kind == "stretch-both":
        return result is not None and all(prod(result) > prod(sizes) for sizes in operands)
    if kind == "rows-changed":
        return result is not None and any(sizes[:1] != result[:1] for sizes in operands)
    if kind == "size1-axis":
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
