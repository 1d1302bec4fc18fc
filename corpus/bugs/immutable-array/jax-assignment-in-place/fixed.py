import jax.numpy as jnp

grid = jnp.zeros((5, 5))
grid = grid.at[2, 2].set(1.0)
print(grid.sum())
