import jax
import jax.numpy as jnp


@jax.jit
def head(x, n):
    return x[:n].sum()


print(head(jnp.arange(6.0), 3))
