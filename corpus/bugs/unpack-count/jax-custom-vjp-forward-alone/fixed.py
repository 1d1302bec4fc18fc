import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, low, high):
    return x


def forward(x, low, high):
    return x, (low, high)


def backward(res, g):
    low, high = res
    return jnp.clip(g, low, high), None, None


clip_gradient.defvjp(forward, backward)


def loss(w, x):
    return jnp.sum(clip_gradient(x @ w, -1.0, 1.0) ** 2)


print(jax.grad(loss)(jnp.ones((5, 3)), jnp.ones((2, 5))).shape)
