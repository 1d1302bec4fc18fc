import jax.numpy as jnp

features = jnp.ones((40, 5))
covariance = features.T @ features / 40 + jnp.eye(5)
factor = jnp.linalg.cholesky(features)
print(factor.shape)
