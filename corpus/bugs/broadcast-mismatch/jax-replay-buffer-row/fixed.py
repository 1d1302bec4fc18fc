import jax
import jax.numpy as jnp
from typing import NamedTuple


class Buffer(NamedTuple):
    obs: jax.Array
    reward: jax.Array
    position: int


def add(buffer, obs, reward):
    n = obs.shape[0]
    where = (buffer.position + jnp.arange(n)) % buffer.obs.shape[0]
    return Buffer(
        buffer.obs.at[where].set(obs),
        buffer.reward.at[where].set(reward),
        buffer.position + n,
    )


buffer = Buffer(jnp.zeros((1000, 4)), jnp.zeros(1000), 0)
buffer = add(buffer, jnp.ones((16, 4)), jnp.ones(16))
print(buffer.obs.shape)
