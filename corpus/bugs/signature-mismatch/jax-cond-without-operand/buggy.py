import jax
import jax.numpy as jnp


def clip_gradient(g, limit):
    norm = jnp.linalg.norm(g)
    return jax.lax.cond(norm > limit, lambda g: g * limit / norm, lambda g: g)


print(clip_gradient(jnp.ones(5), 1.0))
