import jax
import jax.numpy as jnp


@jax.jit
def huber(error):
    return jnp.where(jnp.abs(error) < 1.0, 0.5 * error**2, jnp.abs(error) - 0.5)


print(huber(0.3))
