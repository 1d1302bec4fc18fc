import jax
import jax.numpy as jnp


def flatten(images):
    return images.reshape(images.shape[0], 28 * 28)


images = jax.random.uniform(jax.random.PRNGKey(1), (12, 32, 32))
print(flatten(images).mean(axis=0).shape)
