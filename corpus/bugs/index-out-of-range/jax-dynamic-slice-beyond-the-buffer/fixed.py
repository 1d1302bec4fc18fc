import jax
import jax.numpy as jnp

buffer = jnp.arange(64.0).reshape(16, 4)
window = jax.lax.dynamic_slice(buffer, (3, 0), (8, 4))
print(window.shape)
