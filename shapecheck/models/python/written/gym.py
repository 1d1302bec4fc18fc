"""What well-known environments of Gym give: observations, rewards and actions of reinforcement learning.

What differs between versions, or is not known, is an attribute of `_unknown`, which no file of this package has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gym.installed import _unknown  # type: ignore[import-not-found]

OBSERVATIONS = {
    "Acrobot": (6,),
    "BipedalWalker": (24,),
    "CartPole": (4,),
    "LunarLander": (8,),
    "LunarLanderContinuous": (8,),
    "MountainCar": (2,),
    "MountainCarContinuous": (2,),
    "Pendulum": (3,),
}
ACTIONS = {"Acrobot": 3, "CartPole": 2, "LunarLander": 4, "MountainCar": 3}
"""How many actions there are, where an action is a number."""
FORCES = {"BipedalWalker": (4,), "LunarLanderContinuous": (2,), "MountainCarContinuous": (1,), "Pendulum": (1,)}


class Discrete:
    def __init__(self, count: int) -> None:
        self.n = count
        self.shape = ()

    def sample(self) -> Any:
        return np.random.randint(self.n)

    def __getattr__(self, name: str) -> Any:
        return _unknown.attribute


class Box:
    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.low, self.high = self.sample(), self.sample()

    def sample(self) -> Any:
        return np.random.rand(*self.shape).astype(_unknown.dtype)

    def __getattr__(self, name: str) -> Any:
        return _unknown.attribute


class Environment:
    """An environment. Old versions return observations without `info`, and say only whether an episode has ended."""

    def __init__(self, kind: str, is_old: Any) -> None:
        self.observation_space = Box(OBSERVATIONS[kind])
        self.action_space = Discrete(ACTIONS[kind]) if kind in ACTIONS else Box(FORCES[kind])
        self._is_old = is_old

    @property
    def unwrapped(self) -> Any:
        return self

    def reset(self, **options: Any) -> Any:
        observation = self.observation_space.sample()
        return observation if self._is_old else (observation, {})

    def step(self, action: Any) -> Any:
        if self.action_space.shape and np.ndim(action) != 1:  # of which some make observations with more axes
            return _unknown.result
        observation, reward = self.observation_space.sample(), float(np.random.rand())
        ended, truncated = bool(np.random.rand() > reward), bool(np.random.rand() > reward)
        if self._is_old:
            return observation, reward, ended, {}
        return observation, reward, ended, truncated, {}

    def __getattr__(self, name: str) -> Any:
        return _unknown.attribute


def make(id: str, **options: Any) -> Any:
    """Return an environment by its name, such as "CartPole-v1"."""
    kind = id.split("-")[0]
    if kind in OBSERVATIONS and "continuous" not in options:
        return Environment(kind, _unknown.is_old)
    return _unknown.environment
