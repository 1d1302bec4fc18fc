import jax
import jax.numpy as jnp


def body(i, x):
    return x + i


print(jax.lax.scan(lambda c, i: (body(i, c), None), 0, jnp.arange(5))[0])
