import jax
import jax.numpy as jnp


def energy(x):
    return jnp.sum(x**2) / 2


print(jax.grad(energy)(jnp.array([1, 2, 3], dtype=jnp.float32)))
