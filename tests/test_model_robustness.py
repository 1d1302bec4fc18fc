"""No model crashes on any arguments, as they occur in programs that are only partly understood."""

from __future__ import annotations

import traceback

import pytest

from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    BoundLibraryMethod,
    Const,
    Dict,
    HomogeneousSeq,
    Int,
    Library,
    Lost,
    Range,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
    of_size,
)
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.packs import BUILT_IN
from shapecheck.models.lang.registry import ATTRIBUTES, REGISTRY, Model, load
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from tests.support.seed import draws
from tests.support.stub_context import StubContext

CALLS = 20
TARGETS = (Target(tensorflow=2, keras=3, numpy=2), Target(tensorflow=1, keras=2, numpy=1))
for pack in BUILT_IN:
    load(pack.package)


def things() -> list[Value]:
    """Return values of every kind, most of them invalid as arguments."""
    free, lost = fresh("n", Kind.FREE), fresh("?", Kind.LOST, low=None)
    known = Tensor(Shape((2, 3)), "float32")
    shapes = [(), (0,), (3,), (2, 3), (free, lost), (2, 3, 4, 5)]
    tensors: list[Value] = [
        Tensor(Shape(sizes), "float32", library) for sizes in shapes for library in ("tf", "np", "keras")
    ]
    partly: list[Value] = [
        Tensor(UNRANKED),
        Tensor(Shape((2,), ())),
        Tensor(Shape((), (3,)), "int32"),
        Tensor(Shape((2,), (3,))),
    ]
    numbers: list[Value] = [Const(n) for n in (-1, 0, 3, 10**9, 2.5, float("nan"), float("inf"), 1j)]
    texts: list[Value] = [Const("text"), Const(b"text"), Const("1 2; 3"), Const("ij,jk->ik"), Scalar("str")]
    lists: list[Value] = [
        Seq("list", items)
        for items in [
            (),
            (Const(1), NONE),
            (Lost("item"),),
            (known, Tensor(Shape((2, 4)))),
            (known, NONE),
            (known,) * 3,
        ]
    ]
    tuples: list[Value] = [Seq("tuple", items) for items in [(), (Const(2), Const(3)), (Const(-1),), (known, known)]]
    others: list[Value] = [
        NONE,
        TRUE,
        FALSE,
        Const(...),
        Lost("value"),
        Scalar("int"),
        Int(free),
        Int(lost),
        of_size(free * 2 - 3),
        Seq("shape", (Const(2), Int(free))),
        HomogeneousSeq("list", known, lost),
        HomogeneousSeq("list", Lost("item"), 3),
        Dict(((Const("key"), known),)),
        Dict((), Lost("rest")),
        SliceValue(NONE, Const(2), NONE),
        Range(0, lost, 1),
        Library("tf.float32"),
        Library("tf.nn.relu"),
        BoundLibraryMethod(known, "method"),
    ]
    return [*tensors, *partly, *numbers, *texts, *lists, *tuples, *others]


class Heap(StubContext):
    """A heap on which every object exists."""

    def get(self, owner: Value, name: str) -> Value | None:
        return self.heap.get(owner.address, {}).get(name) if isinstance(owner, Ref) else None

    def set(self, owner: Value, name: str, value: Value) -> None:
        if isinstance(owner, Ref):
            self.heap.setdefault(owner.address, {})[name] = value


def failures(model: Model, positions: int) -> list[str]:
    rng = draws(model.name)
    choices = [*things(), Ref(10**6, "user"), Ref(10**6, "keras.layers.Dense")]
    names = [parameter.name for parameter in model.definition.parameters]
    found = []
    for _ in range(CALLS):
        args = [rng.choice(choices) for _ in range(rng.randint(min(1, positions), positions))]
        keywords = {name: rng.choice(choices) for name in names[len(args) :] if positions > 1 and rng.random() < 0.5}
        for target in TARGETS:
            try:
                model.run(Heap(target), args, keywords)
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                found.append(f"{model.name}{args} {keywords}: {error!r} at {where.filename}:{where.lineno}")
    return found


@pytest.mark.parametrize("table", [REGISTRY, ATTRIBUTES], ids=["calls", "attributes"])
def test_no_model_fails(table: dict[str, Model]) -> None:
    positions = 4 if table is REGISTRY else 1
    found = [failure for name in sorted(table) for failure in failures(table[name], positions)]
    assert not found, f"{len(found)}\n" + "\n".join(sorted(found, key=len)[:5])
