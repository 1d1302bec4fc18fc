import jax
import jax.numpy as jnp

print(jax.lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * 2, s[1]), (0, jnp.ones(3))))
