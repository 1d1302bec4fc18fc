import jax
import jax.numpy as jnp


@jax.jit
def mean_of_positive(x):
    return jnp.where(x > 0, x, 0.0).sum() / (x > 0).sum()


print(mean_of_positive(jnp.array([1.0, -2.0, 3.0])))
