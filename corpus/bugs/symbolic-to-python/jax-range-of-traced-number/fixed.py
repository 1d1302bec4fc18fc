import jax
import jax.numpy as jnp


def power_iteration(matrix, steps):
    vector = jnp.ones(matrix.shape[0])
    return jax.lax.fori_loop(0, steps, lambda _, v: matrix @ v / jnp.linalg.norm(matrix @ v), vector)


print(jax.jit(power_iteration)(jnp.eye(3), 10))
