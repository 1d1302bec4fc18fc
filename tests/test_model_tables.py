"""Tables of the layers of models, beside those that Keras prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

from shapecheck.checker.inspect import traced
from shapecheck.checker.model_tables import model_tables
from shapecheck.checker.pipeline import source_of
from shapecheck.config import Config
from shapecheck.report.model_table import ModelTable
from tests.support.model_programs import program
from tests.support.seed import SEED

PROGRAMS = 24


def tables(path: Path) -> list[ModelTable]:
    return model_tables(traced(source_of(path), Config()))


def test_generated_models_have_the_layers_and_parameters_that_keras_counts(tmp_path: Path) -> None:
    random = Random(SEED)
    paths = [tmp_path / f"program_{number}.py" for number in range(PROGRAMS)]
    for path in paths:
        path.write_text(program(random))
    command = [sys.executable, "-m", "tests.support.model_programs", *map(str, paths)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    for path, real in zip(paths, json.loads(told.stdout.splitlines()[-1]), strict=True):
        (table,) = tables(path)
        is_built_with_values = not any(shape for _, _, shape in real["layers"])
        rows = [[row.kind, row.parameters, "" if is_built_with_values else row.output] for row in table.rows]
        assert {"layers": sorted(rows), "total": table.total} == real, path.read_text()


PARTS = """
import keras
from keras import layers

def build(n):
    a, b = keras.Input((n,)), keras.Input((16,))
    merged = layers.Concatenate()([layers.Dense(32)(a), layers.Dense(32)(b) * 2.0])
    return keras.Model([a, b], layers.Dense(4, name="head")(merged))

build(8)
broken = keras.Sequential([keras.Input((7,)), layers.Dense(4), layers.Conv2D(3, 3), layers.Dense(2)])
"""


def test_rows_know_what_they_read_and_which_one_fails(tmp_path: Path) -> None:
    path = tmp_path / "parts.py"
    path.write_text(PARTS)
    functional, broken = tables(path)
    assert (functional.name, functional.total) == ("build", 288 + 544 + 260)
    assert [(row.label, row.sources) for row in functional.rows] == [
        ("Dense", ()),
        ("Dense", ()),
        ("Concatenate", (0, 1)),
        ("head (Dense)", (2,)),
    ]
    assert [row.is_faulty for row in broken.rows] == [False, True, False]
    assert (broken.rows[0].inputs, broken.rows[0].output) == (("(B, 7)",), "(B, 4)")
    assert broken.total is None
