import jax.numpy as jnp

q, k = jnp.ones((4, 8, 16)), jnp.ones((3, 8, 16))
print(jnp.einsum("bqd,bkd->bqk", q, k).shape)
