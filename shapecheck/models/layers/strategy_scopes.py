"""Scopes of strategies, in which the variables of a model are made for several devices; elsewhere they are not."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Ref, Seq, Value, items_of
from shapecheck.models.lang import Context
from shapecheck.models.lang.settings import SETTINGS, setting
from shapecheck.shapes.claims import FALSE

SCOPE = "scope"  # the heap address with which the scope begins that the program is in
SCOPES = "scopes"  # the first and last heap addresses of earlier ones, in pairs
OUTSIDE = "@outside"


def enter_scope(ctx: Context, manager: Ref) -> None:
    """Note that a scope begins."""
    ctx.set(SETTINGS, SCOPE, Const(manager.address))


def leave_scope(ctx: Context, manager: Value) -> None:
    """Note that a scope ends."""
    if not isinstance(manager, Ref):
        return
    newest = ctx.new(manager.cls)
    known = items_of(setting(ctx, SCOPES) or NONE) or ()
    ctx.set(SETTINGS, SCOPES, Seq("tuple", (*known, Const(manager.address), Const(newest.address))))
    ctx.set(SETTINGS, SCOPE, NONE)


def note_model(ctx: Context, model: Ref) -> None:
    """Note of a model that is compiled in a scope whether it was made outside of all scopes."""
    begin = setting(ctx, SCOPE)
    if not isinstance(begin, Const) or not isinstance(begin.value, int):
        return
    known = [value.value for value in items_of(setting(ctx, SCOPES) or NONE) or () if isinstance(value, Const)]
    numbers = [number for number in known if isinstance(number, int)]
    is_inside = any(first <= model.address <= last for first, last in zip(numbers[::2], numbers[1::2], strict=True))
    ctx.set(model, OUTSIDE, TRUE if model.address < begin.value and not is_inside else NONE)


def require_scope(ctx: Context, model: Value) -> None:
    """State that a model that is trained was made in a scope if it was compiled in one."""
    if isinstance(model, Ref) and ctx.get(model, OUTSIDE) == TRUE:
        said = "the model was made outside of the scope of the strategy in which it was compiled"
        ctx.require(ClashKind.STATE, FALSE, said)
