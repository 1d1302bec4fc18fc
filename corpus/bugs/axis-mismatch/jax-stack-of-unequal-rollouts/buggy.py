import jax
import jax.numpy as jnp


def rollout(key, steps):
    return jnp.cumsum(jax.random.normal(key, (steps, 2)), axis=0)


keys = jax.random.split(jax.random.PRNGKey(0), 3)
paths = [rollout(key, steps) for key, steps in zip(keys, (50, 60, 50))]
print(jnp.stack(paths).shape)
