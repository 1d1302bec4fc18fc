import jax
import jax.numpy as jnp


def unfinished(state):
    x, count = state
    return (count < 20) & (jnp.sum(x**2) > 1e-3)


def body(state):
    x, count = state
    return (0.8 * x,)


x = jax.lax.while_loop(unfinished, body, (jnp.ones(4), 0))[0]
print(x)
