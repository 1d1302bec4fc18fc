"""Stand-ins for missing images: PIL, cv2 and TensorFlow read noise instead."""

from __future__ import annotations

import functools
from typing import Any, Final

from shapecheck.runtime.recording.standins.datasets import filled
from shapecheck.runtime.recording.standins.files import is_missing
from shapecheck.runtime.recording.standins.imports import after

HEIGHT: Final = 240
WIDTH: Final = 320


def begin() -> None:
    after("PIL.Image")(_pil)
    after("cv2")(_cv2)
    after("matplotlib.image", "matplotlib.pyplot")(_matplotlib)


def noise() -> Any:
    return filled((HEIGHT, WIDTH, 3), 0, 256, "uint8")


def _pil(module: Any) -> None:
    read = module.open

    @functools.wraps(read)
    def open_(path: Any, *args: Any, **keywords: Any) -> Any:
        return module.fromarray(noise()) if is_missing(path) else read(path, *args, **keywords)

    module.open = open_


def _cv2(module: Any) -> None:
    read = module.imread

    def imread(path: Any, flags: int = 1) -> Any:
        if not is_missing(path):
            return read(path, flags)
        return noise() if flags else noise()[:, :, 0]

    module.imread = imread


def _matplotlib(module: Any) -> None:
    read = module.imread
    module.imread = lambda path, *args, **keywords: noise() if is_missing(path) else read(path, *args, **keywords)
