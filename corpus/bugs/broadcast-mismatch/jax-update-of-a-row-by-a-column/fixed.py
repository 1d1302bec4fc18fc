import jax.numpy as jnp

table = jnp.zeros((5, 8))
column_means = jnp.arange(5.0)
table = table.at[:, 0].set(column_means)
print(table)
