import jax
import jax.numpy as jnp

f = lambda a, b, c: a * b + c
print(jax.vmap(f, in_axes=(0, 0))(jnp.ones(3), jnp.ones(3), 2.0))
