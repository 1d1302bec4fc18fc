import jax
import jax.numpy as jnp


@jax.jit
def root(x):
    guess = x / 2
    while jnp.abs(guess * guess - x) > 1e-3:
        guess = 0.5 * (guess + x / guess)
    return guess


print(root(2.0))
