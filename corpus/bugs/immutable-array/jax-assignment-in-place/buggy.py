import jax.numpy as jnp

grid = jnp.zeros((5, 5))
grid[2, 2] = 1.0
print(grid.sum())
