import jax
import jax.numpy as jnp


def rollout(x0, controls):
    A = jnp.eye(4) * 0.9
    B = jnp.ones((4, 2))

    def step(x, u):
        x = A @ x + B @ u
        return x, x

    return jax.lax.scan(step, x0, controls)


last, states = rollout(jnp.zeros(4), jnp.ones((20, 2)))
print(states.shape)
