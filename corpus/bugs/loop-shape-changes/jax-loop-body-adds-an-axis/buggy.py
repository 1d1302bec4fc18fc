import jax
import jax.numpy as jnp

matrix = jnp.eye(4) * 0.5


def body(i, state):
    return matrix @ state[:, None]


print(jax.lax.fori_loop(0, 5, body, jnp.ones(4)))
