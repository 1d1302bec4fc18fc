import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def init(sizes):
    return [(jnp.zeros((m, n)), jnp.zeros(n)) for m, n in zip(sizes[:-1], sizes[1:])]


flat, unravel = ravel_pytree(init([4, 16, 2]))
other, _ = ravel_pytree(init([4, 16, 2]))
params = unravel(other)
