import jax.numpy as jnp


def update(mean, cov, observation, h, noise):
    s = h @ cov @ h.T + noise
    gain = cov @ h.T @ jnp.linalg.inv(s)
    mean = mean + gain @ (observation - h @ mean)
    return mean, cov - gain @ s @ gain.T


h = jnp.eye(2, 4)
mean, cov = update(jnp.zeros(4), jnp.eye(4), jnp.ones(2), h, 0.1 * jnp.eye(2))
print(mean.shape, cov.shape)
