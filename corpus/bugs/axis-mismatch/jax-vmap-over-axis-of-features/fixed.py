import jax
import jax.numpy as jnp


def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))


queries = jnp.zeros((30, 5))
anchors = jnp.ones((30, 5))
print(jax.vmap(distance, in_axes=(0, 0))(queries, anchors).shape)
