"""Lightning: modules whose steps a trainer calls with the batches of a loader."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Int, Ref, Value
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.torch.data import LOADER
from shapecheck.shapes.size import Kind

MODULE = "lightning.LightningModule"
TRAINER = "lightning.Trainer"
base(MODULE, "torch.nn.Module")
base("lightning.LightningDataModule", "builtins.object")


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
    **options: Value,
) -> Value:
    """Call the steps with batches."""
    _step(ctx, model, "training_step", train_dataloaders)
    _step(ctx, model, "validation_step", val_dataloaders)
    return NONE


@behaviour(f"{TRAINER}.{{test,validate}}")
def test(ctx: Context, self: Value, model: Value = NONE, dataloaders: Value = NONE, **options: Value) -> Value:
    _step(ctx, model, "test_step", dataloaders)
    return ctx.lost("results of a test")


def _step(ctx: Context, model: Value, name: str, loader: Value) -> None:
    method = ctx.get(model, name) if isinstance(model, Ref) else None
    if method is None or not isinstance(loader, Ref) or loader.cls != LOADER:
        return
    batch = ctx.element(loader)
    ctx.repeat(method, [batch, Int(ctx.fresh("batch_idx", Kind.FREE, "the number of a batch"))])
