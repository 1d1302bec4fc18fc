import jax
import jax.numpy as jnp


@jax.jit
def root(x):
    guess = x / 2
    return jax.lax.while_loop(
        lambda g: jnp.abs(g * g - x) > 1e-3, lambda g: 0.5 * (g + x / g), guess
    )


print(root(2.0))
