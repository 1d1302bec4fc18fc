from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def padded(x, length):
    buffer = jnp.zeros(length)
    return buffer.at[: x.shape[0]].set(x)


print(padded(jnp.arange(3.0), 5))
