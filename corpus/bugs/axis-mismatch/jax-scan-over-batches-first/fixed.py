import jax
import jax.numpy as jnp


def step(total, pair):
    x, reward = pair
    return total + reward, x.sum()


xs = jnp.ones((100, 6))
rewards = jnp.ones((100, 4))
total, sums = jax.lax.scan(step, jnp.zeros(4), (xs, rewards))
print(total.shape)
