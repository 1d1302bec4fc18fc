import jax
import jax.numpy as jnp


def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))


a, b = jnp.ones((6, 3)), jnp.ones((9, 3))
pairs = jax.vmap(distance)(a, b)
print(pairs.shape)
