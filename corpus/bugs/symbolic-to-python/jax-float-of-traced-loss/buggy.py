import jax
import jax.numpy as jnp

history = []


@jax.jit
def step(w, x, y):
    loss, gradient = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
    history.append(float(loss))
    return w - 0.1 * gradient


w = jnp.zeros(3)
x, y = jnp.ones((8, 3)), jnp.ones(8)
for _ in range(3):
    w = step(w, x, y)
print(history)
