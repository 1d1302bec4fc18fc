import jax
import jax.numpy as jnp


def gae(rewards, values, dones, last_value, gamma=0.99, lam=0.95):
    def step(carry, transition):
        advantage, next_value = carry
        reward, value, done = transition
        delta = reward + gamma * next_value * (1 - done) - value
        advantage = delta + gamma * lam * (1 - done) * advantage
        return (advantage, value), advantage

    start = 0.0
    _, advantages = jax.lax.scan(step, (start, last_value), (rewards, values, dones), reverse=True)
    return advantages + values


T, N = 128, 8
print(gae(jnp.ones((T, N)), jnp.ones((T, N)), jnp.zeros((T, N)), jnp.ones(N)).shape)
