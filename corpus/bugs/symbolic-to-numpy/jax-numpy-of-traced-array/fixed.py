import jax
import jax.numpy as jnp
import numpy as np


def loss(theta, angles):
    return jnp.sum(jnp.cos(angles * theta) ** 2)


print(jax.grad(loss)(0.5, jnp.linspace(0, 1, 5)))
