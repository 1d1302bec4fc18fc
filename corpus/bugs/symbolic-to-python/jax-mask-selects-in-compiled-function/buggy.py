import jax
import jax.numpy as jnp


@jax.jit
def mean_of_positive(x):
    return x[x > 0].mean()


print(mean_of_positive(jnp.array([1.0, -2.0, 3.0])))
