"""The parameters of a module in their order, where all of its parts are known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapecheck.domain.values import NONE, Lost, Ref, Seq, Tensor, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.torch.containers import DICT, HELD, LIST, SEQUENTIAL, held
from shapecheck.models.torch.module import MODULE
from shapecheck.models.torch.weights import AXES, NAMED

_MOST = 24
"""A loop over more is followed once."""
_LAYERS = {*(name.format(axes) for name in NAMED for axes in AXES), "LayerNorm"}
_LAYERS |= {f"Conv{kind}{axes}d" for kind in ("", "Transpose") for axes in AXES}
_WITHOUT = re.compile(
    r".*(Dropout|Pool|Pad|Loss|Softmax|sigmoid|Sigmoid|tanh|Tanh|Unpool|Upsample)\w*|"
    r"(ReLU|ReLU6|ELU|SELU|CELU|GELU|SiLU|Mish|LeakyReLU|Softplus|Identity|Flatten|Unflatten|PixelShuffle|Fold|Unfold)"
)


@behaviour(f"{MODULE}.parameters")
def parameters(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    found = _of(ctx, self, set()) if not args and not options else None
    if found is None or len(found) > _MOST:
        return ctx.lost("parameters of a module")
    return Seq("list", tuple(found))


def _of(ctx: Context, module: Value, seen: set[int]) -> list[Value] | None:
    """Return the parameters of a module that are not `seen` yet, None if some are not known."""
    if not isinstance(module, Ref):
        return None
    if module.address in seen:
        return []
    seen.add(module.address)
    cls = module.cls.removeprefix("torch.nn.")
    if module.cls == "user":
        return _of_program(ctx, module, seen)
    if module.cls in (SEQUENTIAL, LIST, DICT):
        contents = held(ctx, module)
        parts = ctx.elements(ctx.apply("builtins.list", contents) if module.cls != DICT else contents)
        return None if module.cls == DICT or parts is None else _of_all(ctx, parts, seen)
    if cls in _LAYERS and not any(isinstance(each, Tensor) for each in ctx.held(module)):
        weights = [each for each in (ctx.get(module, name) for name in ("weight", "bias")) if each not in (None, NONE)]
        known = [each for each in weights if isinstance(each, Tensor)]
        return [*known] if len(known) == len(weights) else None
    return [] if _WITHOUT.fullmatch(cls) else None


def _of_program(ctx: Context, module: Ref, seen: set[int]) -> list[Value] | None:
    """Return the parameters of a class of the program; what it holds beside modules may be a parameter or not."""
    if ctx.get(module, "in_features") is not None or ctx.get(module, "in_channels") is not None:
        return None
    contents = ctx.get(module, HELD)
    if contents is not None:
        parts = ctx.elements(contents)
        return None if parts is None else _of_all(ctx, parts, seen)
    values = ctx.held(module)
    if any(isinstance(each, (Tensor, Lost)) for each in values):
        return None
    return _of_all(ctx, [each for each in values if _is_module(ctx, each)], seen)


def _is_module(ctx: Context, value: Value) -> bool:
    if not isinstance(value, Ref):
        return False
    return value.cls.startswith("torch.nn.") or (value.cls == "user" and ctx.get(value, "parameters") is not None)


def _of_all(ctx: Context, parts: Sequence[Value], seen: set[int]) -> list[Value] | None:
    found: list[Value] = []
    for part in parts:
        inner = _of(ctx, part, seen)
        if inner is None:
            return None
        found += inner
    return found
