import jax
import jax.numpy as jnp

params = {"w": jnp.zeros((3, 2)), "b": jnp.zeros(2)}


def loss(p, x, y):
    return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)


@jax.jit
def update(p, x, y, lr=0.1):
    value, grads = jax.value_and_grad(loss)(p, x, y)
    return jax.tree_util.tree_map(lambda a, g: a - lr * g, p, grads)


params = update(params, jnp.ones((4, 3)), jnp.ones((4, 2)))
