import jax
import jax.numpy as jnp


@jax.jit
def huber(error):
    if jnp.abs(error) < 1.0:
        return 0.5 * error**2
    return jnp.abs(error) - 0.5


print(huber(0.3))
