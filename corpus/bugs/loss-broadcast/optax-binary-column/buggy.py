import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.zeros((20, 1)), "b": jnp.zeros(1)}


@jax.jit
def loss_fn(params, x, y):
    logits = x @ params["w"] + params["b"]
    return optax.sigmoid_binary_cross_entropy(logits, y).mean()


optimizer = optax.adam(1e-2)
state = optimizer.init(params)
x, y = jnp.ones((100, 20)), jnp.ones(100)
for _ in range(3):
    grads = jax.grad(loss_fn)(params, x, y)
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
