from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="groups")
def group_means(x, groups):
    return x.reshape(groups, -1, x.shape[-1]).mean(axis=1)


print(group_means(jnp.ones((30, 4)), groups=6).shape)
