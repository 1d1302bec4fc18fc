"""Library objects without a shape of their own: optimizers, callbacks, initializers, regularizers, constraints."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Ref, Scalar, Seq, Tensor, Value
from shapecheck.models.lang.arguments import as_tensor, shape_arg
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import base, behaviour, expanded
from shapecheck.models.layers.initializers import axes_for
from shapecheck.models.layers.inputs import as_dtype
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.shape import Shape

PLAIN = {
    "keras.optimizers.Optimizer": [
        "keras.optimizers.{SGD,Adam,RMSprop,Adagrad,Adadelta,Adamax,Nadam,Ftrl,AdamW,Lion,Adafactor,TFOptimizer}",
        "keras.optimizers.{LossScaleOptimizer,Muon,Lamb,Optimizer}",
        "keras.mixed_precision.LossScaleOptimizer",
        "keras.mixed_precision.experimental.LossScaleOptimizer",
    ],
    "keras.optimizers.schedules.LearningRateSchedule": [
        "keras.optimizers.schedules.{ExponentialDecay,PiecewiseConstantDecay,PolynomialDecay,InverseTimeDecay}",
        "keras.optimizers.schedules.{CosineDecay,CosineDecayRestarts,LearningRateSchedule}",
        "keras.optimizers.{ExponentialDecay,PiecewiseConstantDecay,PolynomialDecay,InverseTimeDecay,CosineDecay}",
        "keras.optimizers.{CosineDecayRestarts,LearningRateSchedule}",
        "keras.experimental.{CosineDecay,CosineDecayRestarts,LinearCosineDecay,NoisyLinearCosineDecay}",
    ],
    "keras.callbacks.Callback": [
        "keras.callbacks.{Callback,ModelCheckpoint,EarlyStopping,TensorBoard,LearningRateScheduler,ReduceLROnPlateau}",
        "keras.callbacks.{CSVLogger,History,LambdaCallback,ProgbarLogger,RemoteMonitor,TerminateOnNaN,BaseLogger}",
        "keras.callbacks.{BackupAndRestore,CallbackList,SwapEMAWeights}",
    ],
    "keras.initializers.Initializer": [
        "keras.initializers.{Zeros,Ones,Constant,RandomNormal,RandomUniform,TruncatedNormal,VarianceScaling,Orthogonal}",
        "keras.initializers.{Identity,GlorotNormal,GlorotUniform,HeNormal,HeUniform,LecunNormal,LecunUniform}",
        "keras.initializers.{zeros,ones,constant,random_normal,random_uniform,truncated_normal,variance_scaling}",
        "keras.initializers.{orthogonal,identity,glorot_normal,glorot_uniform,he_normal,he_uniform,lecun_normal}",
        "keras.initializers.{lecun_uniform,Initializer}",
    ],
    "keras.regularizers.Regularizer": [
        "keras.regularizers.{L1,L2,L1L2,l1,l2,l1_l2,l1l2,OrthogonalRegularizer,Regularizer}"
    ],
    "keras.constraints.Constraint": [
        "keras.constraints.{MaxNorm,MinMaxNorm,NonNeg,UnitNorm,RadialConstraint,Constraint}",
        "keras.constraints.{max_norm,maxnorm,min_max_norm,non_neg,nonneg,unit_norm,unitnorm}",
    ],
    "keras.layers.InputSpec": ["keras.layers.InputSpec"],
    "keras.preprocessing.text.Tokenizer": ["keras.preprocessing.text.Tokenizer"],
    "keras.preprocessing.image.ImageDataGenerator": ["keras.preprocessing.image.ImageDataGenerator"],
}


def plain_class(name: str, parent: str, module: str = __name__) -> None:
    """Register a class whose instances keep the keywords that they are made with, and other arguments as `_args`."""

    def make(ctx: Context, *args: Value, **keywords: Value) -> Value:
        return ctx.new(name, **({"_args": Seq("tuple", args)} if args else {}), **keywords)

    make.__module__ = module
    behaviour(name)(make)
    if name != parent:
        base(name, parent)


for _parent, _names in PLAIN.items():
    for _name in expanded(_names):
        plain_class(_name, _parent)


@behaviour("keras.initializers.Initializer.__call__")
def initial(ctx: Context, self: Value, shape: Value = NONE, dtype: Value = NONE, **others: Value) -> Value:
    if not isinstance(self, Ref):
        return ctx.lost("which initializer is called")
    wanted = shape_arg(ctx.freeze(shape), ctx)
    needed = axes_for(self)
    if needed is not None and wanted.rank is not None and wanted.rank not in needed:
        ctx.require(ClashKind.RANK, FALSE, f"shape is {wanted}, of which no matrix is made")
    return Tensor(wanted, as_dtype(dtype) or "float32")


@behaviour("keras.regularizers.Regularizer.__call__")
def penalty(ctx: Context, self: Ref, x: Value = NONE) -> Value:
    return Tensor(Shape(()), "float32")


@behaviour("keras.constraints.Constraint.__call__")
def constrained(ctx: Context, self: Ref, w: Value = NONE) -> Value:
    return w


@behaviour("keras.optimizers.schedules.LearningRateSchedule.__call__")
def learning_rate(ctx: Context, self: Ref, step: Value = NONE) -> Value:
    """Return a rate for each given step."""
    return Tensor(as_tensor(ctx.freeze(step), ctx).shape, "float32")


@behaviour("keras.optimizers.Optimizer.{get_updates,set_weights}")
def applied(ctx: Context, self: Ref, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("keras.optimizers.Optimizer.{get_scaled_loss,get_unscaled_gradients,scale_loss}")
def same(ctx: Context, self: Ref, value: Value = NONE) -> Value:
    return value


@behaviour("keras.callbacks.Callback.{__init__,set_model,set_params,on_epoch_end,on_epoch_begin,on_train_begin}")
def called(ctx: Context, self: Ref, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("keras.backend.{epsilon,get_uid}")
def number(ctx: Context) -> Value:
    return Scalar("float")
