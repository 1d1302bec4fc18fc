import jax
import jax.numpy as jnp


def body(i, x):
    j = int(i)
    return x + j


print(jax.lax.scan(lambda c, i: (body(i, c), None), 0, jnp.arange(5))[0])
