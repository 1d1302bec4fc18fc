import jax
import jax.numpy as jnp


def sample(key, logits, n):
    return jax.random.categorical(key, logits, shape=(logits.shape[0], n))


print(sample(jax.random.PRNGKey(0), jnp.zeros((7, 4)), 5).shape)
