import jax

key = jax.random.PRNGKey(1)
noise = jax.random.normal(key, (16, 10))
print(noise.shape)
