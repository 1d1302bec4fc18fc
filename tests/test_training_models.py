"""Models of TensorFlow 1's layers, losses, cells and feeds, and of `tf.data`, compared with the library itself.

A case is a tree of calls that both sides evaluate.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import BoundLibraryMethod, Const, Dict, Int, Lost, Seq, Tensor, Value
from shapecheck.domain.values import Library as Name
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.registry import load
from shapecheck.models.tf1.session import feed
from shapecheck.shapes.shape import Shape
from tests.support import tree_oracle
from tests.support.child import Child
from tests.support.seed import SEED
from tests.support.tree_oracle import Tree
from tests.support.tree_tracer import Tracer, compare, known

CASES = int(os.environ.get("SHAPECHECK_CASES", "150"))

load()


@pytest.fixture(scope="module")
def library() -> Iterator[Child]:
    child = Child(tree_oracle.__name__, environment={"TF_USE_LEGACY_KERAS": "1"})
    yield child
    child.stop()


# Layers -------------------------------------------------------------------------------------------------------------

SIZES = (2, 3, 5, 7, 11, 13)


def holding(draw: Random, sizes: Sequence[int], unknown: float = 0.2) -> Tree:
    """Return a placeholder of these sizes, some of them undeclared."""
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


def test_layer_functions_agree_with_the_library(library: Child) -> None:
    assert compare(library, layer_calls(Random(SEED + 1))) >= CASES // 5


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


def test_losses_agree_with_the_library(library: Child) -> None:
    assert compare(library, loss_calls(Random(SEED + 2))) >= CASES // 5


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


def test_recurrent_networks_agree_with_the_library(library: Child) -> None:
    assert compare(library, recurrent_calls(Random(SEED + 3))) >= CASES // 5


# Feeds --------------------------------------------------------------------------------------------------------------


def test_feeds_agree_with_the_library(library: Child) -> None:
    draw, wrong = Random(SEED + 4), []
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
        reply = library.ask({"feed": fed, "declared": wanted})
        if ("error" in reply) != (made is None) or (made and list(made.shape.sizes) != fed):
            wrong.append(f"{fed} fed to {wanted}: {made}, but {reply}")
    assert not wrong, "\n".join(wrong[:5])


# Datasets -----------------------------------------------------------------------------------------------------------


def source(draw: Random, depth: int = 0) -> Tree:
    """Return a dataset of one or two components."""
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


def test_datasets_agree_with_the_library(library: Child) -> None:
    draw = Random(SEED + 5)
    assert compare(library, (pipeline(draw) for _ in range(2 * CASES)), eager=True) >= CASES // 5


# Single facts -------------------------------------------------------------------------------------------------------


def shapes(ctx: Tracer, value: Value | None) -> list[Any]:
    return known(value or Lost("nothing"), ctx)


def test_a_feed_that_does_not_fit_is_told_with_both_shapes() -> None:
    ctx = Tracer()
    target = ctx.work_out({"call": "tf.placeholder", "args": ["float32", [None, 10]]})
    fed = Dict(((target, Tensor(Shape((50,)), "float32", "np")),))
    ctx.call(BoundLibraryMethod(ctx.apply("tf.Session"), "run"), [target, fed])
    assert ctx.clashes == [(ClashKind.FEED, "the value fed has shape (50,), the placeholder takes (None, 10)")]


def test_a_step_of_training_depends_on_its_loss() -> None:
    ctx = Tracer()
    loss = Tensor(Shape(()), "float32", step=7)
    step = ctx.call(BoundLibraryMethod(ctx.apply("tf.train.AdamOptimizer", Const(0.1)), "minimize"), [loss])
    assert ctx.get(step, "_inputs") == Seq("tuple", (loss,))
    assert ctx.call(BoundLibraryMethod(ctx.apply("tf.Session"), "run"), [Seq("list", (step, loss))]) == Seq(
        "list", (Const(None), Tensor(Shape(()), "float32", "np"))
    )


@pytest.mark.parametrize(("one_hot", "columns"), [(True, [10]), (False, [])])
def test_the_reader_of_digits(one_hot: bool, columns: list[int]) -> None:
    ctx = Tracer()
    data = ctx.apply("tf.examples.tutorials.mnist.input_data.read_data_sets", Const("x"), one_hot=Const(one_hot))
    train = ctx.get(data, "train")
    assert train
    assert shapes(ctx, ctx.get(train, "images")) == [[55000, 784]]
    assert shapes(ctx, ctx.call(BoundLibraryMethod(train, "next_batch"), [Const(50)])) == [[50, 784], [50, *columns]]


def test_a_split_of_rows() -> None:
    ctx = Tracer()
    data = Tensor(Shape((151, 4)), "float32", "np")
    parts = ctx.apply("sklearn.model_selection.train_test_split", data, data, test_size=Const(0.3))
    assert shapes(ctx, parts) == [[105, 4], [46, 4], [105, 4], [46, 4]]


def test_an_argument_is_never_its_default() -> None:
    ctx = Tracer()
    parser = ctx.apply("argparse.ArgumentParser")
    ctx.call(
        BoundLibraryMethod(parser, "add_argument"), [Const("--batch-size")], {"type": Name("int"), "default": Const(32)}
    )
    value = ctx.get(ctx.call(BoundLibraryMethod(parser, "parse_args"), []), "batch_size")
    assert isinstance(value, Int)


def test_numbers_and_sequences() -> None:
    ctx = Tracer()
    assert ctx.apply("math.ceil", Const(2.5)) == Const(3)
    pairs = ctx.apply("itertools.product", Seq("list", (Const(1), Const(2))), repeat=Const(2))
    assert isinstance(pairs, Seq)
    assert len(pairs.items) == 4
