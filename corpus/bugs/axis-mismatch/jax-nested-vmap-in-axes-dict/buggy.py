import jax
import jax.numpy as jnp


def predict(params, x):
    return x @ params["w"] + params["b"]


params = {"w": jnp.ones((6, 3, 2)), "b": jnp.zeros(2)}
print(jax.vmap(predict, in_axes=({"w": 0}, None))(params, jnp.ones((5, 3))).shape)
