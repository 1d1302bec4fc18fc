import jax
import jax.numpy as jnp

W = jnp.ones((5, 3))
y, pullback = jax.vjp(lambda x: W @ x, jnp.ones(3))
(g,) = pullback(jnp.ones(5))
print(g.shape)
