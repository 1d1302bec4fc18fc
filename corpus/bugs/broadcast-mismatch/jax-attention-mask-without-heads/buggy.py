import jax
import jax.numpy as jnp

scores = jnp.ones((2, 8, 10, 10))
mask = jnp.tril(jnp.ones((2, 10, 10), dtype=bool))
weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
print(weights.shape)
