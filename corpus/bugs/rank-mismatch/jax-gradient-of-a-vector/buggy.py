import jax
import jax.numpy as jnp


def loss(theta, x, y):
    errors = x @ theta - y
    return errors**2


x = jax.random.normal(jax.random.PRNGKey(0), (64, 3))
y = x @ jnp.array([1.0, -2.0, 0.5])
theta = jnp.zeros(3)
for _ in range(10):
    theta = theta - 0.1 * jax.grad(loss)(theta, x, y)
print(theta)
