"""Every model compared with the real libraries on generated calls: no model has a test of its own.

`SHAPECHECK_CASES` sets the number of calls per name. Older libraries are included if their environments exist (`make
diff` creates them).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from shapecheck.models.lang.bind import real_parameters, translation
from shapecheck.models.lang.parameter_kinds import Reading
from shapecheck.models.lang.registry import op
from shapecheck.target import Target
from tests.support.agreement import Judge, families, shortest, summary
from tests.support.environments import CURRENT, OLD, TENSORFLOW_1, TENSORFLOW_2_15, Environment
from tests.support.oracle import Oracle

CASES = int(os.environ.get("SHAPECHECK_CASES", "10"))
FAMILIES = families()


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    started = Oracle()
    yield started
    started.stop()


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_models_agree_with_the_library(family: str, oracle: Oracle) -> None:
    tally = Judge(CURRENT, oracle, CASES, is_precision_asked=True).family(FAMILIES[family])
    print(summary(family, tally), f"never accepted: {sorted(tally.names - tally.proved)}", tally.blind_names)
    assert not tally.faults, f"{len(tally.faults)} of {tally.calls}\n" + "\n".join(shortest(tally.faults))
    assert tally.names <= tally.proved, f"never accepted: {sorted(tally.names - tally.proved)}"
    assert tally.blind <= 0.25 * tally.accepted, f"too many of unknown rank: {tally.blind} of {tally.accepted}"
    assert tally.comparable < 100 or len(tally.vague) <= 0.05 * tally.comparable, "\n".join(shortest(tally.vague))


@pytest.mark.parametrize("environment", OLD, ids=lambda each: each.name)
def test_models_agree_with_older_libraries(environment: Environment) -> None:
    if not environment.is_there:
        pytest.skip(f"{environment.name} is not there: make diff")
    started = Oracle(environment.python)
    try:
        judge = Judge(environment, started, max(1, CASES // 10))
        faults = [fault for models in FAMILIES.values() for fault in judge.family(models).faults]
    finally:
        started.stop()
    assert not faults, "\n".join(shortest(faults))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_parameter_is_one_of_the_library(family: str) -> None:
    """A parameter that the library does not have would never be bound."""
    unknown = {(made.function.__name__, p.name) for made in FAMILIES[family] for p in made.parameters}
    for made in FAMILIES[family]:
        parameters = [p for p in made.parameters if p.reading is not Reading.TARGET]
        for name in made.names:
            for target in (Target(), TENSORFLOW_1.target, TENSORFLOW_2_15.target):
                real = real_parameters(made.oracle or name, target)
                open_ended = real is None or made.varargs or any(part.startswith("**") for part in real)
                spelled = {p.name for p in parameters} if open_ended else set()
                spelled |= set(translation(parameters, real or [], made.was).values())
                unknown -= {(made.function.__name__, each) for each in spelled}
        unknown -= {(made.function.__name__, p.name) for p in made.parameters if p.reading is Reading.TARGET}
    assert not unknown


def test_a_name_has_one_model() -> None:
    with pytest.raises(ValueError, match=r"np\.matmul has two models"):
        op("np.matmul")(lambda: "")
