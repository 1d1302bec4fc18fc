"""Lightning: modules whose steps a trainer calls with the batches of a loader."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Int, Method, Ref, Value
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.torch.data import LOADER
from shapecheck.models.torch.statistics import note_evaluation
from shapecheck.shapes.size import Kind

MODULE = "lightning.LightningModule"
TRAINER = "lightning.Trainer"
DATA = "lightning.LightningDataModule"
base(MODULE, "torch.nn.Module")
base(DATA, "builtins.object")


@behaviour(f"{DATA}.{{__init__,prepare_data,setup,save_hyperparameters}}")
@behaviour(f"{MODULE}.__init__", f"{MODULE}.{{log,log_dict,print,save_hyperparameters,manual_backward}}")
def nothing(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(TRAINER)
def trainer(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(TRAINER)


@behaviour(f"{TRAINER}.fit")
def fit(
    ctx: Context,
    self: Value,
    model: Value = NONE,
    train_dataloaders: Value = NONE,
    val_dataloaders: Value = NONE,
    datamodule: Value = NONE,
    **options: Value,
) -> Value:
    """Call the steps with batches of loaders, which may come from a data module, or from the module itself."""
    source = _source(ctx, model, train_dataloaders, datamodule, "fit")
    _step(ctx, model, "training_step", train_dataloaders, source)
    note_evaluation(ctx)
    _step(ctx, model, "validation_step", val_dataloaders, source)
    return NONE


@behaviour(f"{TRAINER}.{{test,validate,predict}}")
def test(
    ctx: Context,
    self: Value,
    model: Value = NONE,
    dataloaders: Value = NONE,
    datamodule: Value = NONE,
    **options: Value,
) -> Value:
    source = _source(ctx, model, dataloaders, datamodule, "test")
    note_evaluation(ctx)
    _step(ctx, model, "test_step", dataloaders, source)
    return ctx.lost("results of a test")


LOADERS = {"training_step": "train_dataloader", "validation_step": "val_dataloader", "test_step": "test_dataloader"}


def _source(ctx: Context, model: Value, given: Value, datamodule: Value, stage: str) -> Value:
    """Return the object whose methods give loaders; a data module is prepared first."""
    source = datamodule if datamodule != NONE else given
    if not isinstance(source, Ref) or ctx.get(source, "train_dataloader") is None:
        return model
    for name, args in (("prepare_data", ()), ("setup", (Const(stage),))):
        method = ctx.get(source, name)
        if isinstance(method, Method):
            ctx.call(method, args)
    return source


def _step(ctx: Context, model: Value, name: str, loader: Value, source: Value) -> None:
    """Call a step with any batch."""
    method = ctx.get(model, name) if isinstance(model, Ref) else None
    if method is None:
        return
    if not isinstance(loader, Ref) or loader.cls != LOADER:
        maker = ctx.get(source, LOADERS[name]) if isinstance(source, Ref) else None
        loader = ctx.call(maker, []) if isinstance(maker, Method) else NONE
    if isinstance(loader, Ref) and loader.cls == LOADER:
        batch = ctx.element(loader)
        ctx.repeat(method, [batch, Int(ctx.fresh("batch_idx", Kind.FREE, "the number of a batch"))])
