import jax
import jax.numpy as jnp


def init(key, sizes):
    ks = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(ks, sizes[:-1], sizes[:-1])]


def apply(ps, x):
    for w, b in ps:
        x = jnp.tanh(x @ w + b)
    return x


print(apply(init(jax.random.PRNGKey(0), [4, 8, 3]), jnp.ones((5, 4))).shape)
