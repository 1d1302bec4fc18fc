"""Replays of packs: what `repro` writes, and what the library says of it where it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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


def _error(environment: Environment, program: str) -> str:
    ran = subprocess.run([environment.python, "-"], input=program, capture_output=True, text=True, check=False)
    return ran.stderr
