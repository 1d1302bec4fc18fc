"""`keras.datasets.*.load_data()`: arrays of the documented shapes, with random contents."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from shapecheck.runtime.recording.standins.imports import after

_KERAS: Final = ("keras.src.datasets", "tf_keras.src.datasets")
_PICTURES: Final[dict[str, tuple[tuple[int, ...], int, tuple[int, ...]]]] = {
    "mnist": ((28, 28), 10, ()),
    "fashion_mnist": ((28, 28), 10, ()),
    "cifar10": ((32, 32, 3), 10, (1,)),
    "cifar100": ((32, 32, 3), 100, (1,)),
}
_ROWS: Final = {"mnist": (60000, 10000), "fashion_mnist": (60000, 10000)}


def begin() -> None:
    for root in _KERAS:
        for name in _PICTURES:
            after(f"{root}.{name}")(_giving(lambda name=name: _pictures(name)))  # type: ignore[misc]
        after(f"{root}.boston_housing")(_giving(lambda: _table((404, 102), 13, "float64")))
        after(f"{root}.california_housing")(_giving(lambda: _table((16512, 4128), 8, "float32")))
        after(f"{root}.imdb")(_giving_texts(25000, 25000, 2))
        after(f"{root}.reuters")(_giving_texts(8982, 2246, 46))


def random() -> Any:
    """Return a random generator with the same numbers in every run."""
    return importlib.import_module("numpy.random").default_rng(0)


def filled(shape: Sequence[int], low: int, high: int, dtype: str) -> Any:
    """Return an array of random integers; its first rows are repeated, which is cheap."""
    numpy = importlib.import_module("numpy")
    rows = random().integers(low, high, (min(shape[0], 97), *shape[1:])).astype(dtype)
    return numpy.resize(rows, tuple(shape))


def _giving(load: Callable[[], object]) -> Callable[[Any], None]:
    def act(module: Any) -> None:
        module.load_data = lambda *args, **keywords: load()

    return act


def _pictures(name: str) -> object:
    size, classes, more = _PICTURES[name]
    pairs = []
    for rows in _ROWS.get(name, (50000, 10000)):
        labels = filled((rows, *more), 0, classes, "int64" if name == "cifar100" else "uint8")
        pairs.append((filled((rows, *size), 0, 256, "uint8"), labels))
    return tuple(pairs)


def _table(rows: tuple[int, int], columns: int, dtype: str) -> object:
    return tuple((filled((n, columns), 0, 50, dtype), filled((n,), 5, 50, dtype)) for n in rows)


def _giving_texts(train: int, test: int, classes: int) -> Callable[[Any], None]:
    def load_data(path: str = "", num_words: int | None = None, skip_top: int = 0, **others: Any) -> object:
        return tuple((_texts(rows, num_words or 20000), filled((rows,), 0, classes, "int64")) for rows in (train, test))

    def act(module: Any) -> None:
        module.load_data = load_data
        module.get_word_index = lambda path="": {f"word{number}": number for number in range(1, 20000)}

    return act


def _texts(rows: int, words: int) -> object:
    """Return an array of lists of word numbers, of many lengths."""
    numpy = importlib.import_module("numpy")
    array = numpy.empty((rows,), dtype=object)
    some = [random().integers(1, words, 20 + 7 * at).tolist() for at in range(60)]
    for row in range(rows):
        array[row] = list(some[row % len(some)])
    return array
