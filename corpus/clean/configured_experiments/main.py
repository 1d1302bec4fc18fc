"""Runs a handful of small image experiments described by dictionaries and command line options."""
import argparse
import dataclasses
import json
import logging
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np
from tensorflow import keras

from networks import build

log = logging.getLogger("experiments")

EXPERIMENTS: Dict[str, Dict[str, Any]] = {
    "plain": {
        "layers": [
            {"kind": "conv", "filters": 6, "size": 5, "padding": "valid"},
            {"kind": "pool"},
            {"kind": "flatten"},
            {"kind": "dense", "units": 20, "drop": 0.2},
        ],
    },
    "residual": {
        "layers": [
            {"kind": "conv", "filters": 8, "norm": True},
            {"kind": "residual", "body": [{"kind": "conv", "filters": 8}, {"kind": "conv", "filters": 8}]},
            {"kind": "residual", "body": [{"kind": "conv", "filters": 12, "stride": 2}]},
        ],
        "optimizer": "adam",
    },
    "repeat": {
        "layers": [
            {"kind": "repeat", "times": 3, "body": [{"kind": "conv", "filters": 5}, {"kind": "pool", "kind_": "avg"}]},
            {"kind": "flatten", "how": "global"},
        ],
        "size": 19,
    },
}


@dataclasses.dataclass(frozen=True)
class Settings:
    name: str
    layers: List[Dict[str, Any]]
    optimizer: str = "rmsprop"
    size: int = 16
    channels: int = 3
    classes: int = 4
    batch: int = 8
    steps: int = 3

    @classmethod
    def of(cls, name: str, **overrides: Any) -> "Settings":
        options = {**EXPERIMENTS[name], **{k: v for k, v in overrides.items() if v is not None}}
        return cls(name=name, **options)

    @property
    def shape(self) -> Tuple[int, int, int]:
        return (self.size,) * 2 + (self.channels,)


class BestWeights(keras.callbacks.Callback):
    def __init__(self, monitor: str = "loss"):
        super().__init__()
        self.monitor, self.best, self.weights = monitor, float("inf"), None

    def on_epoch_end(self, epoch: int, logs: Optional[dict] = None) -> None:
        value = (logs or {}).get(self.monitor, float("inf"))
        if value < self.best:
            self.best, self.weights = value, self.model.get_weights()

    def on_train_end(self, logs: Optional[dict] = None) -> None:
        if self.weights is not None:
            self.model.set_weights(self.weights)


def stripes(settings: Settings, seed: int = 0) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    while True:
        labels = rng.integers(settings.classes, size=settings.batch)
        images = rng.normal(0, 0.3, size=(settings.batch, *settings.shape))
        for image, label in zip(images, labels):
            image[label::settings.classes] += 1.0
        yield images.astype("float32"), labels.astype("int32")


def augmented(source: Iterator, *steps: Callable[[np.ndarray], np.ndarray]) -> Iterator:
    for images, labels in source:
        for step in steps:
            images = step(images)
        yield images, labels


def mirror(images: np.ndarray) -> np.ndarray:
    return images[:, :, ::-1]


def shift(images: np.ndarray, by: int = 4) -> np.ndarray:
    wide = np.pad(images, [(0, 0), (by, by), (0, 0), (0, 0)], mode="wrap")
    return wide[:, 2 * by:] if by else images


def standardized(images: np.ndarray) -> np.ndarray:
    mean = images.mean(axis=(1, 2, 3), keepdims=True)
    std = images.std(axis=(1, 2, 3))
    return (images - mean) / std[:, None, None, None]


def run(settings: Settings, folder: Path, *steps: Callable) -> Dict[str, float]:
    model = build(settings.shape, settings.layers, settings.classes, settings.name)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(settings.optimizer, loss, metrics=["sparse_categorical_accuracy"])
    data = augmented(stripes(settings), *steps)
    history = model.fit(data, steps_per_epoch=settings.steps, epochs=2, verbose=0, callbacks=[BestWeights()])
    images, labels = next(stripes(settings, seed=1))
    confusion = np.zeros((settings.classes, settings.classes), dtype=int)
    np.add.at(confusion, (labels, model.predict(images, verbose=0).argmax(-1)), 1)
    report = {"loss": history.history["loss"][-1], "accuracy": float(np.trace(confusion) / confusion.sum())}
    (folder / f"{settings.name}.json").write_text(json.dumps({**dataclasses.asdict(settings), **report}))
    return report


def main(argv: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=sorted(EXPERIMENTS))
    parser.add_argument("--classes", type=int)
    parser.add_argument("--channels", type=int, choices=[1, 3])
    args = parser.parse_args(argv)
    folder = Path(mkdtemp())
    for name in args.names:
        settings = Settings.of(name, classes=args.classes, channels=args.channels)
        report = run(settings, folder, mirror, shift, standardized)
        print(f"{name:>10}", settings.shape, {k: round(v, 3) for k, v in report.items()})
    return 0 if len(list(folder.glob("*.json"))) == len(args.names) else 1


if __name__ == "__main__":
    raise SystemExit(main(["plain", "residual"]) or main(["repeat", "--channels", "1"]))
