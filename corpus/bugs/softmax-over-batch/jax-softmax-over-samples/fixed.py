import jax
import jax.numpy as jnp

weights = jnp.ones((12, 4))
features = jnp.ones((100, 12))
probabilities = jax.nn.softmax(features @ weights, axis=1)
print(probabilities.shape)
