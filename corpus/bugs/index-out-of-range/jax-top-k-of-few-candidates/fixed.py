import jax
import jax.numpy as jnp

scores = jnp.ones((5, 12))
best, places = jax.lax.top_k(scores, 10)
print(best.shape)
