import jax
import jax.numpy as jnp


def power_iteration(matrix, steps):
    vector = jnp.ones(matrix.shape[0])
    for _ in range(steps):
        vector = matrix @ vector
        vector = vector / jnp.linalg.norm(vector)
    return vector


print(jax.jit(power_iteration)(jnp.eye(3), 10))
