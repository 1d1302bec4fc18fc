import jax.numpy as jnp


def pairwise(a, b):
    return jnp.sum((a[:, None] - b) ** 2, axis=-1)


print(pairwise(jnp.ones((11, 3)), jnp.zeros((6, 3))).shape)
