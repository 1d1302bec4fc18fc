import jax
import jax.numpy as jnp


def block(params, x):
    hidden = jax.nn.gelu(x @ params["up"])
    return x + hidden


keys = jax.random.split(jax.random.PRNGKey(5))
params = {
    "up": jax.random.normal(keys[0], (12, 48)),
    "down": jax.random.normal(keys[1], (48, 12)),
}
print(block(params, jnp.ones((7, 12))).shape)
