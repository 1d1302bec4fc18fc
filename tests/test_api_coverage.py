"""Coverage of the libraries by models, and the reasons for gaps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.api import UNEXPLAINED, Coverage, call_sites, coverage, is_known
from benchmarks.coverage_of_api import command

MOST = {"tf.math", "tf.nn", "tf.linalg", "tf.image", "keras.layers", "keras.ops", "np", "np.ndarray"}
MOST |= {"torch", "torch.nn", "torch.linalg", "torch.fft", "torch.Tensor", "jax.numpy", "jax.lax", "jax.random"}
LESS = {
    **dict.fromkeys(("keras.utils", "torch.utils.data", "jax"), 75),  # many helpers that concern no shapes
    "torch.distributions": 40,
    "jax.scipy.signal": 80,
}
SPACES = {each.namespace: each for each in coverage()}


@pytest.mark.parametrize("each", SPACES.values(), ids=list(SPACES))
def test_most_of_a_namespace_is_modelled(each: Coverage) -> None:
    assert each.percent >= (95 if each.namespace in MOST else LESS.get(each.namespace, 85))


@pytest.mark.parametrize("each", SPACES.values(), ids=list(SPACES))
def test_what_is_left_out_has_a_reason(each: Coverage) -> None:
    assert UNEXPLAINED not in each.left_out


def test_a_name_of_no_library_is_not_known() -> None:
    assert not is_known("np.no_such_name")
    assert not is_known("tf.Variable.no_such_name")


def test_call_sites_are_weighed() -> None:
    found = call_sites([("numpy.zeros", 3.0), ("numpy.no_such_name", 1.0)])
    assert found.percent == 75
    assert found.missing == (("numpy.no_such_name", 1.0),)


def test_the_command_counts(tmp_path: Path) -> None:
    shown = CliRunner().invoke(command, ["np.fft"])
    assert shown.exit_code == 0
    assert shown.output.startswith("np.fft ")
    file = tmp_path / "calls.json"
    file.write_text(json.dumps([["numpy.zeros", 1.0], ["numpy.no_such_name", 1.0]]))
    shown = CliRunner().invoke(command, ["--calls", str(file)])
    assert shown.output.splitlines() == ["50.00 % of call sites have a model", "      1.0000  numpy.no_such_name"]
