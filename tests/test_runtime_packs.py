"""Replays of packs: what `repro` writes, and what the library says of it where it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.models.lang.context import Target
from shapecheck.runtime.replay.plan import Plan, plan
from shapecheck.runtime.replay.verdict import Run, judge
from tests.support.clashes import clash_of
from tests.support.environments import JAX, PYTORCH, Environment

MODULE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 5)
        self.out = nn.Linear(100, 10)

    def forward(self, x):
        return self.out(torch.relu(self.conv(x)).flatten(1))


Net()(torch.zeros(2, 1, 8, 8))
"""
LABELS = """
import torch
import torch.nn.functional as F

scores, labels = torch.zeros(4, 3), torch.tensor([0, 1, 2, 0, 1])
F.cross_entropy(scores, labels)
"""
PRODUCT = """
import jax.numpy as jnp

weights = jnp.ones((3, 4))
jnp.dot(weights.T, jnp.ones((2, 4)))
"""
TRACED = """
import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    if x.sum() > 0:
        return x
    return jnp.zeros_like(x)


relu(jnp.ones(3))
"""
MAPPED = """
import jax
import jax.numpy as jnp


def score(weights, sample):
    return weights @ sample


jax.vmap(score)(jnp.ones((2, 3)), jnp.ones((4, 3)))
"""
WEIGHTS = """
import flax.linen as nn
import jax
import jax.numpy as jnp


class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(x)


model = Model()
variables = model.init(jax.random.PRNGKey(0), jnp.ones((1, 4)))
model.apply(variables, jnp.ones((20, 5)))
"""
MOVED = """
import torch

maps = torch.randn(4, 16, 7, 7).permute(0, 2, 3, 1)
maps.view(4, 784)
"""
PROGRAMS = {
    "module": (PYTORCH, MODULE, 13, "mat1 and mat2 shapes cannot be multiplied"),
    "labels": (PYTORCH, LABELS, 6, "batch_size"),
    "product": (JAX, PRODUCT, 5, "contracting dimensions"),
    "traced": (JAX, TRACED, 8, "boolean conversion of traced array"),
    "mapped": (JAX, MAPPED, 10, "inconsistent sizes"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_replay_fails_as_the_program_does(name: str, tmp_path: Path) -> None:
    environment, text, line, said = PROGRAMS[name]
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "shapecheck", "repro", f"program.py:{line}"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f"import {environment.name.partition(' ')[0]}" in made.stdout, made.stdout + made.stderr
    if environment.is_there:
        assert said in _error(environment, made.stdout)


def test_what_only_the_program_can_call_is_replayed_by_an_excerpt(tmp_path: Path) -> None:
    graph, clash = clash_of(WEIGHTS, tmp_path, "axis-mismatch")
    made = plan(graph, clash, Target())
    assert isinstance(made, Plan)
    assert "model.apply(variables" in made.program
    below = Run("raised", ("ScopeParamShapeError",), "shape (5, 3), not (4, 3)", made.fault_line, (made.fault_line, 9))
    confirmed = judge(
        below, fault_line=made.fault_line, fault_end=made.fault_end, expects="staged", mode="plain",
        symptom=made.symptom, called=made.called,
    )  # fmt: skip
    assert confirmed.status == "confirmed"


def test_what_depends_on_more_than_shapes_is_computed_as_the_program_does(tmp_path: Path) -> None:
    graph, clash = clash_of(MOVED, tmp_path, "element-count")
    made = plan(graph, clash, Target())
    assert isinstance(made, Plan)
    assert "permute" not in made.program
    assert made.computed is not None
    assert "permute(0, 2, 3, 1)" in made.computed.program


def _error(environment: Environment, program: str) -> str:
    ran = subprocess.run([environment.python, "-"], input=program, capture_output=True, text=True, check=False)
    return ran.stderr
