"""Ready-made estimators: feature columns choose from what an input function reads, and labels fit the head."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Const,
    Dict,
    HomogeneousSeq,
    Library,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_sizes,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.pandas.frames import array_of, is_table
from shapecheck.models.pandas.names import names_of
from shapecheck.models.tf1.estimators import EVAL, FED, PREDICT, TRAIN, read_batch
from shapecheck.models.tf1.variable_scopes import other_graph
from shapecheck.shapes.claims import FALSE, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, product

CANNED = "tf.estimator.CannedEstimator"
NUMERIC = "tf.feature_column.NumericColumn"
ON_KERAS = "tf.keras.estimator.Estimator"


@behaviour("tf.feature_column.numeric_column")
def numeric_column(ctx: Context, key: Value, shape: Value = Const(1), *args: Value, **keywords: Value) -> Value:
    return ctx.new(NUMERIC, key=key, shape=shape)


@behaviour("tf.contrib.layers.real_valued_column")
def real_valued_column(ctx: Context, column_name: Value, dimension: Value = Const(1), **keywords: Value) -> Value:
    return ctx.new(NUMERIC, key=column_name, shape=dimension)


def _canned(name: str, width: str, position: int | None) -> None:
    """Register an estimator whose option `width` is the number of labels of a row, "" for one class, and whose columns
    may be given at a position."""

    @behaviour(name)
    def make(ctx: Context, *args: Value, feature_columns: Value = NONE, **options: Value) -> Value:
        given = args[position] if position is not None and position < len(args) else feature_columns
        return ctx.new(CANNED, _columns=given, _width=options.get(width, Const(1)))


_POSITIONS = {"DNN": 1, "Linear": 0, "Baseline": None, "BoostedTrees": 0, "DNNLinearCombined": None}
for _module in ("tf.estimator", "tf.contrib.learn"):
    for _kind, _position in _POSITIONS.items():
        _canned(f"{_module}.{_kind}Classifier", "", _position)
        _canned(f"{_module}.{_kind}Regressor", "label_dimension", _position)
base(CANNED, "object")
base(ON_KERAS, CANNED)


@behaviour("tf.keras.estimator.model_to_estimator", "keras.estimator.model_to_estimator")
def on_keras(ctx: Context, keras_model: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return ctx.new(ON_KERAS, _model=keras_model)


# Inputs ----------------------------------------------------------------------------------------------------------


@behaviour("tf.estimator.inputs.pandas_input_fn", "tf.contrib.learn.io.pandas_input_fn")
def pandas_input_fn(ctx: Context, x: Value = NONE, y: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return a function that reads the columns of a table by their names."""
    names, array = names_of(ctx, x), array_of(ctx, x)
    if not is_table(x) or names is None or array is None or array.shape.rank != 2:
        return ctx.lost("a function that reads an unknown table")
    column = Tensor(Shape(array.shape.sizes[:1]), None, "np")
    labels = array_of(ctx, y) if y != NONE else None
    features = Dict(tuple((Const(name), column) for name in names))
    return Partial(Library(FED), (features, NONE if labels is None else labels))


# Runs ---------------------------------------------------------------------------------------------------------------


def _run(ctx: Context, self: Value, reader: Value, mode: Const) -> None:
    """Compare what an input function reads with the columns and the head."""
    if not isinstance(self, Ref) or reader == NONE:
        return
    other_graph(ctx)
    features, labels = read_batch(ctx, reader, Dict(()), mode)
    if self.cls == ON_KERAS:
        _feed_model(ctx, ctx.get(self, "_model") or NONE, features)
        return
    for column in items_of(ctx.freeze(ctx.get(self, "_columns") or NONE)) or ():
        if isinstance(column, Ref) and column.cls == NUMERIC and isinstance(features, Dict) and features.rest is None:
            _require_column(ctx, column, features)
    if mode != PREDICT and isinstance(labels, Tensor):
        _require_labels(ctx, labels, as_size(ctx.get(self, "_width") or NONE))


def _require_column(ctx: Context, column: Ref, features: Dict) -> None:
    """State that the features have a column, with as many numbers in a row as it declares."""
    key = ctx.get(column, "key") or NONE
    names = [as_str(name) for name, _ in features.items]
    if as_str(key) is None or None in names:
        return
    found = next((value for name, value in features.items if name == key), None)
    if found is None:
        said = f"the features have no {as_str(key)!r}, there are {', '.join(map(repr, names))}"
        ctx.require(ClashKind.INDEX_RANGE, FALSE, said, *[value for _, value in features.items])
        return
    given = ctx.get(column, "shape") or NONE
    sizes = as_sizes(given) if items_of(given) is not None else as_sizes(Seq("tuple", (given,)))
    if isinstance(found, Tensor) and found.shape.rank and sizes is not None:
        mine, wanted = product(found.shape.sizes[1:]), product(sizes)
        said = f"{as_str(key)!r} has {mine} numbers in a row, the column declares {wanted}"
        ctx.require(ClashKind.ELEMENTS, Equal(mine, wanted), said, found)


def _require_labels(ctx: Context, labels: Tensor, count: Size | None) -> None:
    """State that there is one label in a row, or as many as the head has."""
    if count is not None and labels.shape.rank is not None and labels.shape.rank > 1:
        said = f"labels have shape {labels.shape}, the head takes {count} in a row"
        ctx.require(ClashKind.AXIS, Equal(labels.shape.sizes[-1], count), said, labels)


def _feed_model(ctx: Context, model: Value, features: Value) -> None:
    """Call a model of Keras with the only feature."""
    only = features.items[0][1] if isinstance(features, Dict) and len(features.items) == 1 else features
    if isinstance(model, Ref) and isinstance(only, Tensor):
        ctx.call(model, [only])


@behaviour(f"{CANNED}.{{train,fit}}")
def train(ctx: Context, self: Value, input_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _run(ctx, self, input_fn, TRAIN)
    return self


@behaviour(f"{CANNED}.evaluate")
def evaluate(ctx: Context, self: Value, input_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _run(ctx, self, input_fn, EVAL)
    return Dict((), Scalar("float"))


@behaviour(f"{CANNED}.predict")
def predict(ctx: Context, self: Value, input_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _run(ctx, self, input_fn, PREDICT)
    one = ctx.lost("what an estimator predicts")
    return HomogeneousSeq("iterator", one, ctx.fresh("rows", Kind.FREE, "what an estimator predicts"))


@behaviour(f"{CANNED}.{{export_savedmodel,export_saved_model,get_variable_names,get_variable_value,latest_checkpoint}}")
def asked(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what an estimator tells")
