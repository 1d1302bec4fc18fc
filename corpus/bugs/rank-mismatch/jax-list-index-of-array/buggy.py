import jax
import jax.numpy as jnp
import random

data = jnp.ones((100, 3))
picked = random.sample(range(100), 10)
batch = data[picked]
print(batch.shape)
