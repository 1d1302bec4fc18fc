"""Stand-ins for long training: a few steps are run, and predictions for many rows are computed for a few of them."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any, Final

from shapecheck.runtime.recording.standins import work
from shapecheck.runtime.recording.standins.imports import after

STEPS: Final = 2
ROWS: Final = 64


def begin() -> None:
    after("keras.src.backend.tensorflow.trainer")(lambda module: _trainer(module.TensorFlowTrainer))
    after("tf_keras.src.engine.training")(lambda module: _trainer(module.Model))
    after("keras.src.optimizers.base_optimizer")(lambda module: _count(module.BaseOptimizer, "apply"))
    after("tf_keras.src.optimizers.optimizer")(lambda module: _count(module.Optimizer, "apply_gradients"))
    after("tensorflow.python.training.optimizer")(lambda module: _count(module.Optimizer, "apply_gradients"))
    after("tensorflow.python.client.session")(lambda module: _count(module.BaseSession, "run"))
    after("tensorflow.python.eager.polymorphic_function.polymorphic_function")(
        lambda module: _count(module.Function, "__call__")
    )


def _count(cls: Any, name: str) -> None:
    setattr(cls, name, work.counted(getattr(cls, name)))


def _trainer(cls: Any) -> None:
    cls.fit = _changed(cls.fit, _short_fit)
    cls.evaluate = _changed(cls.evaluate, lambda given: _at_most(given, "steps"))
    cls.predict = _few_rows(cls.predict)
    for name in ("fit", "train_on_batch"):
        _count(cls, name)


def _changed(method: Callable[..., Any], change: Callable[[dict[str, Any]], None]) -> Callable[..., Any]:
    """Return the method, with its arguments changed before each call."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            bound = signature.bind(*args, **keywords)
        except TypeError:
            return method(*args, **keywords)
        change(bound.arguments)
        return method(*bound.args, **bound.kwargs)

    return call


def _short_fit(given: dict[str, Any]) -> None:
    epochs = given.get("epochs", 1)
    given["epochs"] = given.get("initial_epoch", 0) + 1
    work.cut(epochs, 1)
    _at_most(given, "steps_per_epoch")
    if given.get("validation_data") is not None or given.get("validation_split"):
        _at_most(given, "validation_steps")


def _at_most(given: dict[str, Any], name: str) -> None:
    given[name] = min(given.get(name) or STEPS, STEPS)


def _few_rows(predict: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(predict)
    def call(self: Any, x: Any = None, *args: Any, **keywords: Any) -> Any:
        array = importlib.import_module("numpy").ndarray
        if not isinstance(x, array) or x.ndim == 0 or len(x) <= ROWS:
            return predict(self, x, *args, **keywords)
        results = predict(self, x[:ROWS], *args, **keywords)
        return _repeated(results, len(x))

    return call


def _repeated(results: Any, rows: int) -> Any:
    numpy = importlib.import_module("numpy")
    if isinstance(results, (list, tuple)):
        return type(results)(_repeated(result, rows) for result in results)
    if isinstance(results, dict):
        return {name: _repeated(result, rows) for name, result in results.items()}
    return numpy.resize(results, (rows, *results.shape[1:]))
