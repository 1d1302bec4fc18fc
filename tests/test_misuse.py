"""Models beside real libraries in calls with a wrong argument; `python -m tests.support.misuse` compares all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from shapecheck.models.lang.registry import REGISTRY
from tests.support.agreement import shortest
from tests.support.misuse import Misuse, misuse
from tests.support.oracle import Oracle
from tests.support.pandas_misuse import compare
from tests.support.seed import SEED


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    started = Oracle()
    yield started
    started.stop()


SLOW = [pytest.param(names, marks=pytest.mark.slow) for names in ("tf.", "keras.")]


@pytest.mark.parametrize("names", ["np.", "scipy.", *SLOW])
def test_models_refuse_nothing_that_the_library_takes(names: str, oracle: Oracle) -> None:
    found = misuse(oracle, lambda name: name.startswith(names), bases=1, most=8, seed=SEED)
    assert found.calls > 200
    assert not found.faults(), "\n".join(shortest(found.faults()))


def test_a_wrong_model_is_noticed(oracle: Oracle) -> None:
    """Models of other functions disagree in all three ways."""
    judge = Misuse(oracle)
    judge.name("np.linalg.inv", replace(REGISTRY["np.linalg.det"].definition, names=("np.linalg.inv",)))
    judge.name("np.sum", replace(REGISTRY["np.cumsum"].definition, names=("np.sum",)))
    judge.name("np.sqrt", replace(REGISTRY["np.linalg.inv"].definition, names=("np.sqrt",)))
    assert judge.findings.wrong and judge.findings.gaps and judge.findings.false_alarms


def test_pandas() -> None:
    """What the library takes is not refused, what it gives is as claimed; calls that only it refuses get fewer."""
    pytest.importorskip("pandas")
    found = compare()
    assert found.calls > 1400
    assert not found.false_alarms + found.wrong, "\n".join(found.false_alarms + found.wrong)
    assert len(found.gaps) <= 670, "\n".join(found.gaps)
    assert not [gap for gap in found.gaps if gap.startswith("np.asarray(pd.Series(matrix")]
