import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(2)
x = jax.random.normal(key, (4, 10, 24))
projection = jax.random.normal(key, (24, 3, 8))
queries = jnp.einsum("btd,dhk->bthk", x, projection)
print(queries.shape)
