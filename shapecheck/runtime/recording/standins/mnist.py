"""Stand-in for `tensorflow.examples.tutorials.mnist.input_data`, which TensorFlow 2 has removed."""

from __future__ import annotations

import importlib
from typing import Any, Final

from shapecheck.runtime.recording.standins.datasets import filled
from shapecheck.runtime.recording.standins.imports import made

_MODULE: Final = "tensorflow.examples.tutorials.mnist.input_data"


class Part:
    """Images with labels, as the tutorials' DataSet."""

    def __init__(self, rows: int, one_hot: bool, reshape: bool) -> None:
        numpy = importlib.import_module("numpy")
        shape = (rows, 784) if reshape else (rows, 28, 28, 1)
        self.images = filled(shape, 0, 256, "float32") / numpy.float32(255)
        labels = filled((rows,), 0, 10, "uint8")
        self.labels = numpy.eye(10)[labels] if one_hot else labels
        self.num_examples = rows
        self.epochs_completed = 0
        self._at = 0

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        if self._at + batch_size > self.num_examples:
            self._at = 0
            self.epochs_completed += 1
        begin, self._at = self._at, self._at + batch_size
        return self.images[begin : self._at], self.labels[begin : self._at]


class Parts:
    """The result of `read_data_sets`."""

    def __init__(self, one_hot: bool, reshape: bool, validation_size: int) -> None:
        self.train = Part(60000 - validation_size, one_hot, reshape)
        self.validation = Part(validation_size, one_hot, reshape)
        self.test = Part(10000, one_hot, reshape)


def begin() -> None:
    parts = _MODULE.split(".")
    for depth in range(2, len(parts)):
        made(".".join(parts[:depth]))(lambda module: None)
    made(_MODULE, "input_data")(_fill)


def _fill(module: Any) -> None:
    def read_data_sets(
        train_dir: str,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: object = None,
        reshape: bool = True,
        validation_size: int = 5000,
        **others: object,
    ) -> Parts:
        return Parts(one_hot, reshape, validation_size)

    module.read_data_sets = read_data_sets
