"""The first fix of a program."""

from __future__ import annotations

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.findings import Finding
from tests.support.promises import edited

HEAD = """import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
"""


def findings(text: str, fixes: int = 1) -> list[Finding]:
    return check(["-"], Config(fixes=fixes), stdin=text).findings


def first_fix(body: str) -> str | None:
    """Return what the program is with the first fix of its first finding."""
    found = findings(HEAD + body)
    assert found, "nothing is found"
    return edited(found[0].fix).removeprefix(HEAD) if found[0].fix else None


MODEL = """x, y = np.zeros((50, 20)), np.zeros((50, {columns}))
model = keras.Sequential([keras.Input(({inputs},)), layers.Dense({units})])
model.compile(loss="mse")
model.fit(x, y)
"""
