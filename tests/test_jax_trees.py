"""The pack of JAX: objects that are trees, as functions of functions are given them and return them."""

from __future__ import annotations

import pytest

from tests.support.environments import JAX
from tests.support.expressions import FAILS, SILENT, checked, wrong

SETUP = """
from collections import namedtuple
from typing import NamedTuple
import jax
import jax.numpy as jnp
from flax import struct
from jax import lax
from shapecheck import reveal_shape as show

class Body(NamedTuple):
    place: jax.Array
    key: jax.Array

Pair = namedtuple("Pair", ["left", "right"])

@struct.dataclass
class World:
    bodies: Body
    masses: jax.Array
    count: int = struct.field(pytree_node=False, default=3)

class Node(struct.PyTreeNode):
    weights: jax.Array

    def total(self):
        return self.weights.sum(axis=0)

keys = jax.random.split(jax.random.PRNGKey(0), 5)
body = Body(jnp.zeros(3), jax.random.PRNGKey(0))
world = World(Body(jnp.zeros((5, 4)), keys), jnp.ones((5, 2)))
node = Node(jnp.zeros((6, 2)))

def move(state, force):
    key, _ = jax.random.split(state.key)
    moved = Body(state.place + force, key)
    return moved, moved.place * 2

def one(inner, extra):
    return inner.replace(masses=inner.masses * inner.count), inner.bodies.place + extra

last, places = lax.scan(move, body, jnp.zeros((7, 3)))
worlds, sums = jax.vmap(one)(world, jnp.zeros((5, 4)))
"""
CASES = {
    "last.place": "(3,) float32",
    "places": "(7, 3) float32",
    "worlds.masses": "(5, 2) float32",
    "worlds.bodies.place": "(5, 4) float32",
    "sums": "(5, 4) float32",
    "jax.tree.map(lambda a: a[0], world).bodies.key": "(2,) uint32",
    "jnp.zeros(jax.tree.map(lambda a: a[0], world).count)": "(3,) float32",
    "jax.tree_util.tree_map(jnp.add, body, body).place": "(3,) float32",
    "jax.tree_util.tree_map(lambda a: a[None], Pair(body.place, node)).right.weights": "(1, 6, 2) float32",
    "jax.tree.map(jnp.add, world, world.replace(masses=jnp.ones((3, 2)))).masses": FAILS,
    "lax.cond(body.place.sum() > 0, lambda n: n, lambda n: Node(n.weights + 1), node).total()": "(2,) float32",
    "lax.fori_loop(0, 3, lambda i, b: b._replace(place=b.place + 1), body).place": "(3,) float32",
    "lax.while_loop(lambda n: n.weights.sum() < 3, lambda n: Node(n.weights + 1), node).weights": "(6, 2) float32",
    "lax.scan(lambda b, _: (Body(b.place[1:], b.key), None), body, None, length=2)[0].place": FAILS,
    "lax.fori_loop(0, 3, lambda i, n: Node(n.weights[0]), node).weights": FAILS,
    "jax.tree.leaves(world)[2]": "(5, 2) float32",
    "jax.tree_util.tree_reduce(lambda s, a: s + a.sum(), node, 0.0)": "() float32",
    "jax.grad(lambda n: (n.weights ** 2).sum())(node).weights": "(6, 2) float32",
    "jax.vmap(lambda n: n.weights.sum())(node)": "(6,) float32",
    "jax.vmap(lambda n, a: n.weights + a)(node, jnp.zeros((5, 2)))": FAILS,
    "jax.vmap(lambda n: n, out_axes=1)(node).weights": "(2, 6) float32",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what the check says of each expression."""
    return checked(SETUP, CASES, tmp_path_factory.mktemp("trees") / "program.py")


@pytest.mark.parametrize("expression", CASES)
def test_what_is_known(expression: str, told: dict[str, str]) -> None:
    assert told.get(expression, SILENT) == CASES[expression]


@pytest.mark.skipif(not JAX.is_there, reason="JAX is not there: make diff-packs")
def test_it_is_so() -> None:
    assert wrong(JAX.python, SETUP, CASES) == {}
