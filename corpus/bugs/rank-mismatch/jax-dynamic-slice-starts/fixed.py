import jax
import jax.numpy as jnp


@jax.jit
def window(series, start):
    return jax.lax.dynamic_slice(series, (start, 0), (24, series.shape[1]))


series = jnp.ones((1000, 7))
windows = jax.vmap(window, in_axes=(None, 0))(series, jnp.arange(32))
print(windows.shape)
