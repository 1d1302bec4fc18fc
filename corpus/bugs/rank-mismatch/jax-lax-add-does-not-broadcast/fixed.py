import jax
import jax.numpy as jnp

x = jnp.ones((6, 4))
bias = jnp.zeros(4)
print(jnp.add(x, bias).shape)
