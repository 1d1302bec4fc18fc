import jax
import jax.numpy as jnp


def attend(q, k, v):
    scores = q @ k / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores) @ v


q, k, v = (jax.random.normal(key, (9, 16)) for key in jax.random.split(jax.random.PRNGKey(0), 3))
print(attend(q, k, v).shape)
