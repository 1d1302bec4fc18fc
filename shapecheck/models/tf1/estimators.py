"""Estimators of TensorFlow 1: a model function builds the graph for a batch that an input function reads."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Library,
    Method,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.tf1.variable_scopes import other_graph
from shapecheck.models.tf_data.dataset import each, element_of, is_dataset, leaves, plain, sliced, structure
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, product

ESTIMATOR = "tf.estimator.Estimator"
SPEC = "tf.estimator.EstimatorSpec"
FED = "tf.estimator.inputs.fed"
TRAIN, EVAL, PREDICT = Const("train"), Const("eval"), Const("infer")
SPECS = {"tf.estimator.TrainSpec": TRAIN, "tf.estimator.EvalSpec": EVAL}


@behaviour(ESTIMATOR)
def estimator(ctx: Context, model_fn: Value = NONE, *args: Value, params: Value = NONE, **keywords: Value) -> Value:
    given = args[2] if len(args) > 2 else params
    return ctx.new(ESTIMATOR, _model=model_fn, _params=Dict(()) if given == NONE else given)


@behaviour("tf.contrib.tpu.TPUEstimator", "tf.estimator.tpu.TPUEstimator")
def on_tpu(ctx: Context, model_fn: Value = NONE, *args: Value, params: Value = NONE, **keywords: Value) -> Value:
    """The functions are given the batch size with the parameters."""
    sizes = {f"_{mode}_batch": keywords.get(f"{mode}_batch_size", NONE) for mode in ("train", "eval", "predict")}
    return ctx.new(ESTIMATOR, _model=model_fn, _params=Dict(()) if params == NONE else params, **sizes)


@behaviour("tf.contrib.tpu.TPUEstimatorSpec", "tf.estimator.tpu.TPUEstimatorSpec")
@behaviour(SPEC)
def spec(
    ctx: Context, mode: Value = NONE, predictions: Value = NONE, loss: Value = NONE, *rest: Value, **keywords: Value
) -> Value:
    """The loss is one number; how many a batch gives is checked only when it runs."""
    sizes = loss.shape.head if isinstance(loss, Tensor) and loss.shape.is_ranked else ()
    if all(isinstance(size, int) for size in sizes):
        ctx.require(
            ClashKind.RANK, Equal(product(sizes), 1), f"the loss has shape {Shape(sizes)}, it must be a scalar", loss
        )
    return ctx.new(SPEC, loss=loss, mode=mode, predictions=predictions)


# Inputs ----------------------------------------------------------------------------------------------------------


def read_batch(ctx: Context, reader: Value, params: Value, mode: Value) -> tuple[Value, Value]:
    """Return the features and labels that an input function returns."""
    if _takes_any(ctx, reader):
        return ctx.lost("an input function of any arguments"), ctx.lost("an input function of any arguments")
    given = ctx.freeze(ctx.call(reader, (), {"params": params, "mode": mode, "config": ctx.lost("a RunConfig")}))
    if is_dataset(given):
        given = element_of(ctx, given)
    if isinstance(given, Seq) and given.kind in ("tuple", "list") and len(given.items) == 2:
        return given.items[0], given.items[1]
    return given, NONE if isinstance(given, (Tensor, Dict)) else ctx.lost("what an input function returns")


@behaviour("tf.estimator.inputs.numpy_input_fn", "tf.contrib.learn.io.numpy_input_fn")
def numpy_input_fn(ctx: Context, x: Value = NONE, y: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return Partial(Library(FED), (structure(ctx, x), y if y == NONE else structure(ctx, y)))


@behaviour(FED)
def fed(ctx: Context, x: Value, y: Value, **keywords: Value) -> Value:
    """Return batches of arrays, which all have as many rows."""
    parts = [*(leaves(x) or ()), *(leaves(y) or ())]
    for part in parts[1:]:
        rows, other = parts[0].shape.size(0), part.shape.size(0)
        if rows is not None and other is not None:
            said = f"the features have {rows} rows, there are {other} besides"
            ctx.require(ClashKind.AXIS, Equal(rows, other), said, parts[0], part)
    batch = ctx.fresh("None", Kind.DYNAMIC, "how many rows are read at a time")
    features = _batched(x, batch)
    return features if y == NONE else Seq("tuple", (features, _batched(y, batch)))


def _batched(value: Value, batch: Size) -> Value:
    def first(tensor: Tensor) -> Tensor:
        one = sliced(tensor).shape
        return plain(tensor, Shape((batch, *one.head), one.tail))

    return each(value, first)


# Runs ---------------------------------------------------------------------------------------------------------------


def _run(ctx: Context, self: Value, reader: Value, mode: Const) -> Value:
    """Return the result of the model function for the input function; each run has its own graph."""
    if not isinstance(self, Ref) or reader == NONE:
        return ctx.lost("an estimator without input")
    params = _params(ctx, self, str(mode.value))
    other_graph(ctx)
    features, labels = read_batch(ctx, reader, params, mode)
    return _modelled(ctx, self, features, NONE if mode == PREDICT else labels, mode, params)


def _modelled(ctx: Context, self: Ref, features: Value, labels: Value, mode: Const, params: Value) -> Value:
    """Call a model function; an estimator of `contrib` passes the data by position, whatever names the function gives
    it.
    """
    said = {"mode": mode, "params": params, "config": ctx.lost("a RunConfig")}
    data = {"features": features, "labels": labels}
    given = tuple(data.values()) if self.cls == LEARNER else ()
    model = ctx.get(self, "_model") or NONE
    if _takes_any(ctx, model):
        return ctx.lost("a model function of any arguments")
    return ctx.call(model, given, said if given else {**data, **said})


def _takes_any(ctx: Context, function: Value) -> bool:
    """Return whether a function names not all of its parameters: it is given only those that its signature tells."""
    return isinstance(function, Function | Method) and ctx.parameters(function) is None


def _params(ctx: Context, self: Ref, mode: str) -> Value:
    params = ctx.get(self, "_params") or NONE
    size = ctx.get(self, f"_{'predict' if mode == 'infer' else mode}_batch") or NONE
    known = ctx.freeze(params)
    if size == NONE or not isinstance(known, Dict):
        return params
    return Dict((*known.items, (Const("batch_size"), size)), known.rest)


@behaviour(f"{ESTIMATOR}.train")
def train(ctx: Context, self: Value, input_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _run(ctx, self, input_fn, TRAIN)
    return self


@behaviour(f"{ESTIMATOR}.evaluate")
def evaluate(ctx: Context, self: Value, input_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _run(ctx, self, input_fn, EVAL)
    return Dict((), Scalar("float"))


@behaviour(f"{ESTIMATOR}.predict")
def predict(ctx: Context, self: Value, input_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return the predictions for one row after the other, or for one batch after the other."""
    made = _run(ctx, self, input_fn, PREDICT)
    predictions = ctx.get(made, "predictions") if isinstance(made, Ref) and made.cls == SPEC else None
    if predictions is None or leaves(ctx.freeze(predictions)) is None:
        return ctx.lost("what an estimator predicts")
    in_batches = keywords.get("yield_single_examples") == FALSE
    one = each(ctx.freeze(predictions), lambda tensor: replace(tensor if in_batches else sliced(tensor), library="np"))
    return HomogeneousSeq("iterator", one, ctx.fresh("rows", Kind.FREE, "what an estimator predicts"))


@behaviour(f"{ESTIMATOR}.{{export_savedmodel,export_saved_model,export_model}}")
def export(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return Scalar("bytes")


@behaviour(f"{ESTIMATOR}.{{get_variable_names,get_variable_value,latest_checkpoint,eval_dir}}")
def asked(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what an estimator tells")


def _specified(name: str) -> None:
    @behaviour(name)
    def specified(ctx: Context, input_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
        return ctx.new(name, _input=input_fn)


for _name in SPECS:
    _specified(_name)


@behaviour("tf.estimator.train_and_evaluate")
def train_and_evaluate(ctx: Context, estimator: Value, train_spec: Value, eval_spec: Value = NONE) -> Value:
    for said, mode in ((train_spec, TRAIN), (eval_spec, EVAL)):
        if isinstance(said, Ref) and SPECS.get(said.cls) == mode:
            _run(ctx, estimator, ctx.get(said, "_input") or NONE, mode)
    return Seq("tuple", (ctx.lost("metrics of an estimator"), ctx.lost("exports of an estimator")))


# contrib.learn ------------------------------------------------------------------------------------------------------

LEARNER = "tf.contrib.learn.Estimator"


@behaviour(LEARNER)
def learner(ctx: Context, model_fn: Value = NONE, *args: Value, params: Value = NONE, **keywords: Value) -> Value:
    return ctx.new(LEARNER, _model=model_fn, _params=Dict(()) if params == NONE else params)


@behaviour("tf.contrib.learn.SKCompat")
def as_learner(ctx: Context, estimator: Value) -> Value:
    return estimator


def _learns(method: str, mode: Const) -> None:
    @behaviour(f"{LEARNER}.{method}")
    def run(
        ctx: Context, self: Value, x: Value = NONE, y: Value = NONE, input_fn: Value = NONE, **keywords: Value
    ) -> Value:
        """The data is given, or a function that reads it."""
        given = Partial(Library(FED), (structure(ctx, x), y if y == NONE else structure(ctx, y)))
        _run(ctx, self, given if x != NONE else input_fn, mode)
        return self if mode == TRAIN else ctx.lost("what an estimator tells")


for _method, _mode in {"fit": TRAIN, "partial_fit": TRAIN, "evaluate": EVAL, "score": EVAL, "predict": PREDICT}.items():
    _learns(_method, _mode)
