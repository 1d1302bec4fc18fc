import jax
import jax.numpy as jnp


def add_noise(key, x, sigma=0.1):
    return x + sigma * jax.random.normal(key, x.shape)


print(add_noise(jax.random.PRNGKey(0), jnp.ones((3, 4))).shape)
