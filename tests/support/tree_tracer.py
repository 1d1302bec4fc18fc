"""Trees of calls, evaluated with the models and compared with the library's results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shapecheck.domain.values import BoundLibraryMethod, Const, Dict, Lost, Partial, Ref, Seq, Tensor, Value
from shapecheck.domain.values import Library as Name
from shapecheck.models.lang.registry import lookup, lookup_method
from shapecheck.models.tf_data.dataset import each
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, fresh
from tests.support.child import Child
from tests.support.stub_context import StubContext
from tests.support.tree_oracle import Tree


class Tracer(StubContext):
    """Evaluates trees with the models."""

    def work_out(self, tree: Tree) -> Value:
        match tree:
            case {"placeholder": shape}:
                return Tensor(self.shape(shape), tree.get("dtype", "float32"), role="placeholder")
            case {"zeros": shape}:
                return Tensor(Shape(tuple(shape)), "float32", "np")
            case {"spec": shape}:
                sizes = NONE_VALUE if shape is None else Seq("list", tuple(map(Const, shape)))
                return self.new("tf.TensorSpec", shape=sizes, dtype=Const("float32"))
            case {"function": name}:
                return Name(f"function.{name}")
            case {"tuple": items}:
                return Seq("tuple", tuple(map(self.work_out, items)))
            case {"dict": items}:
                return Dict(tuple((Const(name), self.work_out(item)) for name, item in items.items()))
            case {"of": owner, "method": name}:
                return self.run(BoundLibraryMethod(self.work_out(owner), name), tree)
            case {"call": name}:
                return self.run(Name(name), tree)
            case list():
                return Seq("list", tuple(map(self.work_out, tree)))
        return Const(tree)

    def shape(self, sizes: Sequence[int | None] | None) -> Shape:
        if sizes is None:
            return UNRANKED
        return Shape(tuple(fresh("None", Kind.DYNAMIC) if size is None else size for size in sizes))

    def run(self, function: Value, rest: dict[str, Any]) -> Value:
        keywords = {name: self.work_out(value) for name, value in rest.get("keywords", {}).items()}
        return self.call(function, [self.work_out(arg) for arg in rest.get("args", [])], keywords)

    def call(self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        match function:
            case Name(name=name) if name.startswith("function."):
                return self.user(name.removeprefix("function."), list(args))
            case BoundLibraryMethod(owner=Ref(cls=cls) as owner, name=name):
                method = lookup_method(cls, name)
                return method.run(self, [owner, *args], keywords or {}) if method else Lost(name)
            case Partial(function=inner, args=first, keywords=more):
                return self.call(inner, [*first, *args], dict(more) | dict(keywords or {}))
            case Name(name=name):
                model = lookup(name)
                assert model, f"no model of {name}"
                return model.run(self, args, keywords or {})
        return super().call(function, args, keywords)

    def user(self, name: str, args: list[Value]) -> Value:
        match name, args:
            case "pair", [x]:
                return Seq("tuple", (x, x))
            case "swap", [x, y]:
                return Seq("tuple", (y, x))
            case "first", [x, _]:
                return x
            case "named", [x, y]:
                return Dict(((Const("x"), x), (Const("y"), y)))
            case "grow", [x]:
                return each(x, lambda part: self.apply("tf.expand_dims", part, Const(0)))
            case "total", [x]:
                return self.apply("tf.reduce_sum", x)
            case "listed", [x]:
                return Seq("list", (x, x))
            case "whole", [x]:
                return self.apply("tf.data.Dataset.from_tensor_slices", x)
            case "keep", _:
                return Const(True)
        self.clashes.append(("arguments", f"{name} takes another number of arguments than {len(args)}"))
        return Lost("a wrong call")


NONE_VALUE = Const(None)


def known(value: Value, ctx: Tracer) -> list[list[int | str | None] | None]:
    """Return the shapes in a value: None for an unknown rank, in it None for a dynamic size and "?" for a lost one."""
    match value:
        case Tensor(shape=shape):
            return [[number(ctx.resolve(size)) for size in shape.head] if shape.is_ranked else None]
        case Seq(items=items):
            return [shape for item in items for shape in known(item, ctx)]
        case Dict(items=pairs):
            ordered = sorted(pairs, key=lambda pair: str(pair[0]))
            return [shape for _, item in ordered for shape in known(item, ctx)]
    return [None]


def number(size: Size) -> int | str | None:
    if isinstance(size, int):
        return size
    return "?" if any(symbol.kind is Kind.LOST for symbol in size.symbols()) else None


def fits(mine: Sequence[Any], theirs: Sequence[Any]) -> bool:
    """Return whether shapes agree: a size that we know is theirs, unless they do not know it."""
    if len(mine) != len(theirs):
        return False
    for one, other in zip(mine, theirs, strict=True):
        if one is None or other is None:
            continue
        if len(one) != len(other):
            return False
        if any(isinstance(a, int) and b is not None and a != b for a, b in zip(one, other, strict=True)):
            return False
    return True


def complaint(ctx: Tracer, value: Value, reply: dict[str, Any]) -> str:
    """Return the disagreement of the models with the library."""
    if "error" in reply:
        late = "Cannot batch tensors with different shapes" in reply["error"]  # of sizes that differ as data has it
        return "" if ctx.clashes or late else f"accepted, but {reply['error']}"
    if ctx.clashes:
        return f"rejected ({ctx.clashes[0]}), but the library gives {reply['shapes']}"
    theirs = reply["shapes"]
    if not isinstance(theirs, dict):
        mine = known(value, ctx)
        exact = all(a is not None and "?" not in a for a in mine)
        return "" if exact and fits(mine, theirs) else f"{mine}, but the library gives {theirs}"
    mine = known(ctx.get(value, "_element") or Lost("no dataset"), ctx)
    if not all(fits(mine, shapes) for shapes in [theirs["spec"], *theirs["real"]]):
        return f"{mine}, but the library gives {theirs}"
    vague = [a for a, b in zip(mine, theirs["spec"], strict=True) if b is not None and (a is None or "?" in a)]
    return f"{mine} is less than {theirs['spec']}" if vague else ""


def compare(library: Child, trees: Iterator[Tree], *, eager: bool = False) -> int:
    """Return how many calls the library accepted; fail if the models disagree."""
    wrong = []
    accepted = rejected = 0
    for tree in trees:
        ctx = Tracer()
        value = ctx.work_out(tree)
        reply = library.ask({"tree": tree, "eager": eager})
        said = complaint(ctx, value, reply)
        accepted, rejected = accepted + ("error" not in reply), rejected + ("error" in reply)
        if said:
            wrong.append(f"{json.dumps(tree)}: {said}")
    print(f"{accepted} accepted, {rejected} rejected")
    assert not wrong, f"{len(wrong)} disagreements, such as\n" + "\n".join(wrong[:5])
    return accepted
