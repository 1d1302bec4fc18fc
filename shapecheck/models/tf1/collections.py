"""Collections of the variables that a program makes in scopes of TensorFlow 1, in the order in which they are made.

What is made in a scope is known unless a call in the scope is not followed, or a library call there makes variables of
its own.
"""

from __future__ import annotations

import re

from shapecheck.domain.values import FALSE, NONE, TRUE, Dict, Library, Seq, Tensor, Value, as_str
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.scopes import UNFOLLOWED
from shapecheck.models.tf1.graph import unknown_items
from shapecheck.models.tf1.variable_scopes import KEY, MADE, SLOTS, TABLE, entry, in_graph

GLOBAL, TRAINABLE = "GLOBAL_VARIABLES", "TRAINABLE_VARIABLES"
_NAMES = {"variables": GLOBAL, "trainable_variables": TRAINABLE}
_PLAIN = re.compile(r"[\w/-]+")


@behaviour("tf.add_to_collection", "tf.add_to_collections")
def add(ctx: Context, name: Value = NONE, value: Value = NONE) -> Value:
    """What else is added to a collection is not followed."""
    for each in name.items if isinstance(name, Seq) else (name,):
        ctx.set(TABLE, f"@added {_name(each)}", TRUE)
    return NONE


@behaviour("tf.get_collection", "tf.get_collection_ref")
def get_collection(ctx: Context, key: Value, scope: Value = NONE) -> Value:
    return _collected(ctx, _name(key), scope)


@behaviour("tf.trainable_variables")
def trainable(ctx: Context, scope: Value = NONE) -> Value:
    return _collected(ctx, TRAINABLE, scope)


@behaviour("tf.global_variables", "tf.all_variables")
def all_of_graph(ctx: Context, scope: Value = NONE) -> Value:
    return _collected(ctx, GLOBAL, scope)


def _name(key: Value) -> str:
    """Return the name of a collection, "" if it is not known."""
    text = key.name.rsplit(".", 1)[-1] if isinstance(key, Library) else as_str(key) or ""
    return _NAMES.get(text, text)


def _collected(ctx: Context, name: str, scope: Value) -> Value:
    """Return the items of a collection, all of which are known only in a scope, or in a collection of the program."""
    prefix, is_own = as_str(scope) or "", name not in ("", GLOBAL, TRAINABLE)
    is_told = (scope == NONE and is_own) or (name and _PLAIN.fullmatch(prefix))
    has_slots = name == GLOBAL and entry(ctx, SLOTS) is not None
    found = _variables(ctx, name, prefix) if is_told and not has_slots else None
    return Seq("list", tuple(found)) if found else unknown_items(ctx, name)


def _variables(ctx: Context, name: str, prefix: str) -> list[Tensor] | None:
    """Return the variables of a collection whose names begin so; None if there may be others."""
    made = entry(ctx, MADE)
    if not isinstance(made, Seq) or entry(ctx, f"@added {name}") is not None or not _is_followed(ctx, prefix):
        return None
    found = []
    for path, variable, trains, chosen in (each.items for each in made.items if isinstance(each, Seq)):
        own = as_str(path)
        if own is None or not isinstance(chosen, Seq):
            return None
        names = {_name(each) for each in chosen.items}
        if not own.startswith(in_graph(ctx, f"/{prefix}")) or not names & {name, ""}:
            continue
        if "" in names or not isinstance(variable, Tensor) or trains not in (TRUE, FALSE):
            return None
        if name != TRAINABLE or trains == TRUE:
            found.append(variable)
    return found


def _is_followed(ctx: Context, prefix: str) -> bool:
    """Return whether all calls in scopes whose names begin so are followed."""
    found = ctx.get(*UNFOLLOWED)
    for around in found.items if isinstance(found, Seq) else (found,) if found is not None else ():
        scope = around.get(KEY) if isinstance(around, Dict) else NONE
        path = as_str(scope.items[0]) if isinstance(scope, Seq) else None
        if scope is not None and (path is None or path.lstrip("/").startswith(prefix)):
            return False
    return True
