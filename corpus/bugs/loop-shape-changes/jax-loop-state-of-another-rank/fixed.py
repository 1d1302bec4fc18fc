import jax
import jax.numpy as jnp


def step(_, v):
    v = matrix @ v
    return v / jnp.linalg.norm(v)


matrix = jnp.diag(jnp.arange(1.0, 6.0))
print(jax.lax.fori_loop(0, 30, step, jnp.ones(5)))
