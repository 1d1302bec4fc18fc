import jax
import jax.numpy as jnp

params = {"w": jnp.ones((4, 2)), "b": jnp.zeros(2)}


def loss(w, b, x):
    return jnp.sum((x @ w + b) ** 2)


x = jnp.ones((6, 4))
gw, gb = jax.grad(loss, argnums=(0, 1))(params["w"], params["b"], x)
grads = {"w": gw}
params = jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads)
