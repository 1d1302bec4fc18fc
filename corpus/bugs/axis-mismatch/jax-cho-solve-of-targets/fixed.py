import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve


def kernel(a, b):
    return jnp.exp(-0.5 * jnp.sum((a[:, None] - b[None, :]) ** 2, -1))


train, test = jnp.linspace(0, 1, 12)[:, None], jnp.linspace(0, 1, 7)[:, None]
y = jnp.sin(train[:, 0])
factor = cho_factor(kernel(train, train) + 0.1 * jnp.eye(12))
alpha = cho_solve(factor, y)
mean = kernel(test, train) @ alpha
print(mean.shape)
