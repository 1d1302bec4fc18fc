import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(x @ params["w1"]) @ params["w2"]


def loss(params, x, y):
    return jnp.mean((predict(params, x)[:, 0] - y) ** 2)


params = {"w1": jnp.ones((3, 8)), "w2": jnp.ones((8, 1))}
x, y = jnp.ones((50, 3)), jnp.arange(50.0)
print(jax.value_and_grad(loss)(params, x, y)[0])
