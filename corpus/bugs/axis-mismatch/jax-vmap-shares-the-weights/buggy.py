import jax
import jax.numpy as jnp


def score(weights, sample):
    return jnp.dot(weights, sample)


weights = jnp.linspace(-1.0, 1.0, 6)
samples = jnp.ones((40, 6))
scores = jax.vmap(score)(weights, samples)
print(scores.shape)
