import jax

key = jax.random.PRNGKey(0)
key, first, second = jax.random.split(key, 3)
print(jax.random.normal(first, (3,)) + jax.random.normal(second, (3,)))
