import jax
import jax.numpy as jnp


def cell(params, state, x):
    joined = jnp.concatenate([state, x], axis=-1)
    new = jnp.tanh(joined @ params["w"] + params["b"])
    return new, new


params = {"w": jnp.ones((32 + 10, 32)), "b": jnp.zeros(32)}
inputs = jnp.ones((25, 8, 10))
state, outputs = jax.lax.scan(lambda s, x: cell(params, s, x), jnp.zeros((8, 32)), inputs)
print(outputs.shape)
