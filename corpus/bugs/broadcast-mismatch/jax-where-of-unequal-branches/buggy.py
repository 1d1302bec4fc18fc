import jax.numpy as jnp

logits = jnp.ones((6, 8))
mask = logits.sum(axis=1, keepdims=True) > 0
padding = jnp.full((6, 7), -1e9)
print(jnp.where(mask, logits, padding).shape)
