"""Errors of the language of models."""

from __future__ import annotations

import pytest

from shapecheck.models.lang import dtypes
from shapecheck.models.lang.registry import op


@pytest.mark.parametrize("said", ["np-float", "first float32x", "first -floats", "int32,flaot32", "promote floats"])
def test_a_dtype_rule_with_a_typing_error_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match=r"is neither a dtype nor a word of rules$"):
        op("np.nothing_of_the_kind", dtype=said)(lambda: "-> 3")


@pytest.mark.parametrize("said", ["", ",int32", "?", "object", "promote float -bool", "first mean real,first"])
def test_a_dtype_rule_that_is_well_formed(said: str) -> None:
    dtypes.check(said)


def test_the_generated_dtype_rules_are_well_formed() -> None:
    for rules in dtypes.table().values():
        for said in rules.values():
            dtypes.check(said)
