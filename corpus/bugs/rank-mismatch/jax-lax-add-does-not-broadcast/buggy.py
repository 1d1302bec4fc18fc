import jax
import jax.numpy as jnp

x = jnp.ones((6, 4))
bias = jnp.zeros(4)
print(jax.lax.add(x, bias).shape)
