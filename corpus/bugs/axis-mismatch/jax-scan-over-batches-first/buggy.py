import jax
import jax.numpy as jnp


def step(total, pair):
    x, reward = pair
    return total + reward, x.sum()


xs = jnp.ones((100, 6))
rewards = jnp.ones((4, 100))
total, sums = jax.lax.scan(step, jnp.zeros(100), (xs, rewards))
print(total.shape)
