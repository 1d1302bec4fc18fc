import jax
import jax.numpy as jnp

cache = jnp.zeros((10, 64))
row = jnp.ones(64)
cache = jax.lax.dynamic_update_slice(cache, row[None], (3, 0))
print(cache[3].sum())
