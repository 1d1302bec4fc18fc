"""TensorFlow 1's layers, losses, cells and feeds, and `tf.data`, as we model them, against the library itself.

A case is a tree of calls that both sides work out: the models here, the library in a child process, which is this
file run as a script.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from stub_context import StubContext

from shapecheck.models.data.dataset import each
from shapecheck.models.lang.op import load, lookup, lookup_method
from shapecheck.models.lang.read import as_tensor
from shapecheck.models.training.session import feed
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.values import Bound, Const, Dict, Int, Lost, Partial, Ref, Seq, Tensor, Value
from shapecheck.values import Library as Name

Tree = Any
CASES = int(os.environ.get("SHAPECHECK_CASES", "150"))
EXECUTED = 40  # elements of a dataset that are really made


# The library, in a child process ------------------------------------------------------------------------------------


class Library:
    """Works out trees with TensorFlow."""

    def __init__(self) -> None:
        import numpy as np
        import tensorflow as tf

        self.np, self.tf = np, tf
        self.functions = {
            "pair": lambda x: (x, x),
            "swap": lambda x, y: (y, x),
            "first": lambda x, y: x,
            "named": lambda x, y: {"x": x, "y": y},
            "grow": lambda x: tf.nest.map_structure(lambda part: tf.expand_dims(part, 0), x),
            "total": lambda x: tf.reduce_sum(x),
            "listed": lambda x: [x, x],
            "keep": lambda *parts: True,
            "whole": lambda x: tf.data.Dataset.from_tensor_slices(x),
        }

    def answer(self, request: dict[str, Any]) -> Any:
        if request["eager"]:
            made = self.work_out(request["tree"])
            return self.dataset(made) if isinstance(made, self.tf.data.Dataset) else shapes_of(made)
        with self.tf.Graph().as_default():
            if "feed" in request:
                return self.feed(request)
            return shapes_of(self.work_out(request["tree"]))

    def work_out(self, tree: Tree) -> Any:
        match tree:
            case {"placeholder": shape}:
                return self.tf.compat.v1.placeholder(tree.get("dtype", "float32"), shape)
            case {"zeros": shape}:
                return self.np.zeros(shape, "float32")
            case {"spec": shape}:
                return self.tf.TensorSpec(shape, "float32")
            case {"function": name}:
                return self.functions[name]
            case {"tuple": items}:
                return tuple(map(self.work_out, items))
            case {"dict": items}:
                return {name: self.work_out(item) for name, item in items.items()}
            case {"of": owner, "method": name}:
                return self.called(getattr(self.work_out(owner), name), tree)
            case {"call": name}:
                return self.called(self.found(name), tree)
            case list():
                return [self.work_out(item) for item in tree]
        return tree

    def found(self, name: str) -> Any:
        found = self.tf if name.startswith("tf.data") else self.tf.compat.v1
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        return found

    def called(self, function: Any, rest: dict[str, Any]) -> Any:
        keywords = {name: self.work_out(value) for name, value in rest.get("keywords", {}).items()}
        return function(*map(self.work_out, rest.get("args", [])), **keywords)

    def dataset(self, made: Any) -> Any:
        specs = [spec.shape for spec in self.tf.nest.flatten(made.element_spec)]
        real = [[list(part.shape) for part in self.tf.nest.flatten(item)] for item in made.take(EXECUTED)]
        return {"spec": [None if shape.rank is None else shape.as_list() for shape in specs], "real": real}

    def feed(self, request: dict[str, Any]) -> Any:
        target = self.tf.compat.v1.placeholder("float32", request["declared"])
        with self.tf.compat.v1.Session() as session:
            return list(session.run(target, {target: self.np.zeros(request["feed"])}).shape)


def shapes_of(result: Any) -> Any:
    if isinstance(result, (list, tuple)):
        return [shape for item in result for shape in shapes_of(item)]
    return [None if result.shape.rank is None else result.shape.as_list()]


def main() -> None:
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    library = Library()
    for line in sys.stdin:
        try:
            reply = {"shapes": library.answer(json.loads(line))}
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {str(error)[:300]}"}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


load()


@pytest.fixture(scope="module")
def library() -> Iterator[Any]:
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": ""}
    child = subprocess.Popen(
        [sys.executable, __file__],
        stdin=-1,
        stdout=-1,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **quiet, "TF_USE_LEGACY_KERAS": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    def ask(request: dict[str, Any]) -> Any:
        assert child.stdin and child.stdout
        child.stdin.write(json.dumps({"eager": False, **request}) + "\n")
        child.stdin.flush()
        return json.loads(child.stdout.readline())

    yield ask
    child.kill()
    child.wait()


# The models ---------------------------------------------------------------------------------------------------------


class Tracer(StubContext):
    """Works out trees with the models."""

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
                return self.run(Bound(self.work_out(owner), name), tree)
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
            case Bound(owner=Ref(cls=cls) as owner, name=name):
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
    """The shapes in a value: None for an unknown rank, in it None for a dynamic size and "?" for a lost one."""
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
    """Whether shapes agree: a size that we know is theirs, unless they do not know it."""
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
    """In what the models and the library disagree."""
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


def compare(library: Any, trees: Iterator[Tree], *, eager: bool = False) -> None:
    wrong = []
    accepted = rejected = 0
    for tree in trees:
        ctx = Tracer()
        value = ctx.work_out(tree)
        reply = library({"tree": tree, "eager": eager})
        said = complaint(ctx, value, reply)
        accepted, rejected = accepted + ("error" not in reply), rejected + ("error" in reply)
        if said:
            wrong.append(f"{json.dumps(tree)}: {said}")
    print(f"{accepted} accepted, {rejected} rejected")
    assert not wrong, f"{len(wrong)} disagreements, such as\n" + "\n".join(wrong[:5])
    assert accepted >= CASES // 5


# Layers -------------------------------------------------------------------------------------------------------------

SIZES = (2, 3, 5, 7, 11, 13)


def holding(draw: Random, sizes: Sequence[int], unknown: float = 0.2) -> Tree:
    """A placeholder of these sizes, some of them not declared."""
    return {"placeholder": [None if draw.random() < unknown else size for size in sizes]}


def drawn(draw: Random, count: int, sizes: Sequence[int] = SIZES) -> list[int]:
    return [draw.choice(sizes) for _ in range(count)]


def window(draw: Random, axes: int, name: str) -> dict[str, Any]:
    kernel: Any = draw.choice([2, 3, drawn(draw, axes, (1, 2, 3))])
    options = {name: kernel, "strides": draw.choice([1, 2, drawn(draw, axes, (1, 2))])}
    return options | draw.choice([{}, {"padding": "same"}, {"padding": "VALID"}])


def layer_calls(draw: Random) -> Iterator[Tree]:
    for _ in range(CASES):
        axes = draw.choice([1, 2, 2, 3])
        spatial = drawn(draw, axes + 1 + (draw.random() < 0.1), (2, 3, 5, 7, 11))
        inputs = holding(draw, [*spatial, draw.choice([3, 5])], 0.15)
        kind = draw.choice(["conv", "pool", "pool", "transpose", "separable", "dense", "plain"])
        filters = {"filters": draw.choice([4, 6])}
        name, options = {
            "conv": (f"conv{axes}d", filters | window(draw, axes, "kernel_size")),
            "pool": (f"{draw.choice(['max', 'average'])}_pooling{axes}d", window(draw, axes, "pool_size")),
            "transpose": (f"conv{max(axes, 2)}d_transpose", filters | window(draw, max(axes, 2), "kernel_size")),
            "separable": (f"separable_conv{min(axes, 2)}d", filters | window(draw, min(axes, 2), "kernel_size")),
            "dense": ("dense", {"units": 9, "activation": None, "use_bias": False}),
            "plain": draw.choice([("flatten", {}), ("dropout", {"rate": 0.5, "noise_shape": None})]),
        }[kind]
        spread = draw.randrange(len(options) + 1)  # how many are given by position
        first, rest = list(options.items())[:spread], dict(list(options.items())[spread:])
        yield {"call": f"tf.layers.{name}", "args": [inputs, *(value for _, value in first)], "keywords": rest}


def test_layer_functions_agree_with_the_library(library: Any) -> None:
    compare(library, layer_calls(Random(1)))


# Losses -------------------------------------------------------------------------------------------------------------

LOSSES = """absolute_difference hinge_loss huber_loss log_loss mean_squared_error sigmoid_cross_entropy
softmax_cross_entropy""".split()


def loss_calls(draw: Random) -> Iterator[Tree]:
    for _ in range(CASES):
        sizes = drawn(draw, draw.choice([1, 2, 2, 3]))
        other = list(sizes)
        if draw.random() < 0.3:
            other[draw.randrange(len(other))] = 17
        if draw.random() < 0.2:
            other = other[1:] if draw.random() < 0.5 else [*other, 1]
        name = draw.choice([*LOSSES, "sparse_softmax_cross_entropy"])
        labels = holding(draw, other)
        if name == "sparse_softmax_cross_entropy":
            labels = {**holding(draw, draw.choice([sizes[:-1], [*sizes[:-1], 1], other])), "dtype": "int32"}
        name = "compat.v1.losses.mean_squared_error" if name == "mean_squared_error" else f"losses.{name}"
        yield {"call": f"tf.{name}", "args": [labels, holding(draw, sizes)]}


def test_losses_agree_with_the_library(library: Any) -> None:
    compare(library, loss_calls(Random(2)))


# Cells --------------------------------------------------------------------------------------------------------------


def cell(draw: Random, depth: int = 0) -> Tree:
    kind = draw.choice(["BasicLSTMCell", "LSTMCell", "GRUCell", "BasicRNNCell", *["MultiRNNCell"] * (not depth)])
    if kind == "MultiRNNCell":
        return {"call": "tf.nn.rnn_cell.MultiRNNCell", "args": [[cell(draw, 1), cell(draw, 1)]]}
    options = {"num_proj": 3} if kind == "LSTMCell" and draw.random() < 0.4 else {}
    if kind.endswith("LSTMCell") and draw.random() < 0.2:
        options["state_is_tuple"] = False
    made = {"call": f"tf.nn.rnn_cell.{kind}", "args": [draw.choice([4, 6])], "keywords": options}
    return {"call": "tf.nn.rnn_cell.DropoutWrapper", "args": [made]} if draw.random() < 0.2 else made


def recurrent_calls(draw: Random) -> Iterator[Tree]:
    for _ in range(CASES // 2):
        batch, steps, width = drawn(draw, 3)
        made = cell(draw)
        given: dict[str, Any] = {"dtype": "float32"}
        if draw.random() < 0.4 and "Multi" not in json.dumps(made):
            size = batch if draw.random() < 0.6 else 17
            given = {"initial_state": {"of": made, "method": "zero_state", "args": [size, "float32"]}}
        if draw.random() < 0.5:
            inputs: Tree = [{"placeholder": [batch, width]} for _ in range(2)]
            yield {"call": "tf.nn.static_rnn", "args": [made, inputs], "keywords": given}
            continue
        sizes = [batch, steps, width] if draw.random() < 0.85 else [batch, width]
        if draw.random() < 0.3:
            given["time_major"] = True
        yield {"call": "tf.nn.dynamic_rnn", "args": [made, {"placeholder": sizes}], "keywords": given}


def test_recurrent_networks_agree_with_the_library(library: Any) -> None:
    compare(library, recurrent_calls(Random(3)))


# Feeds --------------------------------------------------------------------------------------------------------------


def test_feeds_agree_with_the_library(library: Any) -> None:
    draw, wrong = Random(4), []
    for _ in range(CASES):
        fed = drawn(draw, draw.randrange(4), (1, 2, 3, 5))
        declared = [None if draw.random() < 0.4 else size for size in fed]
        if draw.random() < 0.3 and declared:
            declared[draw.randrange(len(declared))] = 7
        if draw.random() < 0.2:
            declared = [*declared, 1]
        wanted = None if draw.random() < 0.1 else declared
        ctx = Tracer()
        made = feed(ctx, Tensor(ctx.shape(wanted), role="placeholder"), as_tensor(ctx.work_out({"zeros": fed}), ctx))
        reply = library({"feed": fed, "declared": wanted})
        if ("error" in reply) != (made is None) or (made and list(made.shape.sizes) != fed):
            wrong.append(f"{fed} fed to {wanted}: {made}, but {reply}")
    assert not wrong, "\n".join(wrong[:5])


# Datasets -----------------------------------------------------------------------------------------------------------


def source(draw: Random, depth: int = 0) -> Tree:
    """A dataset to begin with, of one or two components."""
    rows = draw.choice([4, 6, 12])
    one = {"zeros": [rows, *drawn(draw, draw.randrange(3))]}
    two = {"zeros": [rows if draw.random() < 0.85 else 5, *drawn(draw, draw.randrange(2))]}
    match draw.choice(["one", "two", "two", "dict", "tensors", "range", "generator", "zip"]):
        case "two":
            return begin("from_tensor_slices", {"tuple": [one, two]})
        case "dict":
            return begin("from_tensor_slices", {"dict": {"x": one, "y": two}})
        case "tensors":
            return begin("from_tensors", {"tuple": [one, two]})
        case "range":
            return begin("range", *draw.choice([[9], [2, 9], [1, 9, 3]]))
        case "generator":
            return {"call": "tf.data.Dataset.range", "args": [6]}
        case "zip" if not depth:
            return begin("zip", {"tuple": [source(draw, 1), source(draw, 1)]})
    return begin("from_tensor_slices", one)


def begin(name: str, *args: Tree) -> Tree:
    return {"call": f"tf.data.Dataset.{name}", "args": list(args)}


def pipeline(draw: Random) -> Tree:
    tree = source(draw)
    for _ in range(draw.randrange(1, 5)):
        tree = {"of": tree, **step(draw, tree)}
    return tree


def step(draw: Random, tree: Tree) -> Tree:
    match draw.choice(["batch", "batch", "map", "map", "plain", "cut", "padded", "unbatch", "filter", "more", "flat"]):
        case "batch":
            options = draw.choice([{}, {"drop_remainder": True}, {"drop_remainder": False}])
            return {"method": "batch", "args": [draw.choice([2, 3, 5])], "keywords": options}
        case "map":
            return {"method": "map", "args": [{"function": draw.choice(["pair", "swap", "first", "named", "grow"])}]}
        case "plain":
            return draw.choice([{"method": "cache"}, {"method": "shuffle", "args": [5]}, {"method": "enumerate"}])
        case "cut":
            return {"method": draw.choice(["take", "skip", "repeat"]), "args": [draw.choice([1, 2, 3])]}
        case "padded":
            return {"method": "padded_batch", "args": [draw.choice([2, 3])]}
        case "filter":
            return {"method": "filter", "args": [{"function": "keep"}]}
        case "more":
            return {"method": "concatenate", "args": [tree]}
        case "flat":
            return {"method": "flat_map", "args": [{"function": "whole"}]}
    return {"method": "unbatch"}


def test_datasets_agree_with_the_library(library: Any) -> None:
    draw = Random(5)
    compare(library, (pipeline(draw) for _ in range(2 * CASES)), eager=True)


# Single facts -------------------------------------------------------------------------------------------------------


def shapes(ctx: Tracer, value: Value | None) -> list[Any]:
    return known(value or Lost("nothing"), ctx)


def test_a_feed_that_does_not_fit_is_told_with_both_shapes() -> None:
    ctx = Tracer()
    target = ctx.work_out({"call": "tf.placeholder", "args": ["float32", [None, 10]]})
    fed = Dict(((target, Tensor(Shape((50,)), "float32", "np")),))
    ctx.call(Bound(ctx.apply("tf.Session"), "run"), [target, fed])
    assert ctx.clashes == [("feed", "the value fed has shape (50,), the placeholder takes (None, 10)")]


def test_a_step_of_training_depends_on_its_loss() -> None:
    ctx = Tracer()
    loss = Tensor(Shape(()), "float32", step=7)
    step = ctx.call(Bound(ctx.apply("tf.train.AdamOptimizer", Const(0.1)), "minimize"), [loss])
    assert ctx.get(step, "_inputs") == Seq("tuple", (loss,))
    assert ctx.call(Bound(ctx.apply("tf.Session"), "run"), [Seq("list", (step, loss))]) == Seq(
        "list", (Const(None), Tensor(Shape(()), "float32", "np"))
    )


@pytest.mark.parametrize(("one_hot", "columns"), [(True, [10]), (False, [])])
def test_the_reader_of_digits(one_hot: bool, columns: list[int]) -> None:
    ctx = Tracer()
    data = ctx.apply("tf.examples.tutorials.mnist.input_data.read_data_sets", Const("x"), one_hot=Const(one_hot))
    train = ctx.get(data, "train")
    assert train
    assert shapes(ctx, ctx.get(train, "images")) == [[55000, 784]]
    assert shapes(ctx, ctx.call(Bound(train, "next_batch"), [Const(50)])) == [[50, 784], [50, *columns]]


def test_a_split_of_rows() -> None:
    ctx = Tracer()
    data = Tensor(Shape((151, 4)), "float32", "np")
    parts = ctx.apply("sklearn.model_selection.train_test_split", data, data, test_size=Const(0.3))
    assert shapes(ctx, parts) == [[105, 4], [46, 4], [105, 4], [46, 4]]


def test_an_argument_is_never_its_default() -> None:
    ctx = Tracer()
    parser = ctx.apply("argparse.ArgumentParser")
    ctx.call(Bound(parser, "add_argument"), [Const("--batch-size")], {"type": Name("int"), "default": Const(32)})
    value = ctx.get(ctx.call(Bound(parser, "parse_args"), []), "batch_size")
    assert isinstance(value, Int)


def test_numbers_and_sequences() -> None:
    ctx = Tracer()
    assert ctx.apply("math.ceil", Const(2.5)) == Const(3)
    pairs = ctx.apply("itertools.product", Seq("list", (Const(1), Const(2))), repeat=Const(2))
    assert isinstance(pairs, Seq)
    assert len(pairs.items) == 4
    point = ctx.call(ctx.apply("collections.namedtuple", Const("P"), Const("x y")), [Const(1), Const(2)])
    assert ctx.get(point, "y") == Const(2)


if __name__ == "__main__":
    main()
