"""`keras.applications`: the architectures without their trained weights."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final

from shapecheck.runtime.recording.standins.imports import after

_FILES: Final = (
    "convnext densenet efficientnet efficientnet_v2 inception_resnet_v2 inception_v3 mobilenet mobilenet_v2 "
    "mobilenet_v3 nasnet resnet resnet_v2 vgg16 vgg19 xception"
).split()


def begin() -> None:
    for root in ("keras.src.applications", "tf_keras.src.applications"):
        for name in _FILES:
            after(f"{root}.{name}")(_act)
        after(f"{root}.imagenet_utils")(_decoding)


def _act(module: Any) -> None:
    for name, function in list(vars(module).items()):
        if inspect.isfunction(function) and "weights" in inspect.signature(function).parameters:
            setattr(module, name, _without_weights(function))


def _without_weights(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        bound = signature.bind(*args, **keywords)
        bound.arguments["weights"] = None
        return function(*bound.args, **bound.kwargs)

    return call


def _decoding(module: Any) -> None:
    def decode_predictions(preds: Any, top: int = 5) -> Any:
        return [[(f"n{at:08}", "thing", 1.0 / (at + 2)) for at in range(top)] for _ in preds]

    module.decode_predictions = decode_predictions
