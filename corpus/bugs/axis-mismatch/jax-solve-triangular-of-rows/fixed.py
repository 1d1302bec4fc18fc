import jax.numpy as jnp
from jax.scipy.linalg import cholesky, solve_triangular

cov = jnp.eye(4) * 2.0
samples = jnp.ones((10, 4))
factor = cholesky(cov, lower=True)
white = solve_triangular(factor, samples.T, lower=True)
print(white.shape)
