import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def u(params, t, x):
    h = jnp.stack([t, x])
    for w, b in params[:-1]:
        h = jnp.tanh(h @ w + b)
    w, b = params[-1]
    return (h @ w + b)[0]


def residual(params, t, x):
    u_t = jax.grad(u, 1)(params, t, x)
    u_x = jax.grad(u, 2)(params, t, x)
    return u_t + u(params, t, x) * u_x


params = init(jax.random.PRNGKey(0), [2, 20, 20, 1])
points = jnp.ones(100)
print(jax.vmap(residual, (None, 0, 0))(params, points, points).shape)
