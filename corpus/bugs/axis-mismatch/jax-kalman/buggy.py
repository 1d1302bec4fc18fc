import jax.numpy as jnp

P_, H, R = jnp.eye(4), jnp.ones((2, 4)), jnp.eye(2)
S = H.T @ P_ @ H + R
K = P_ @ H.T @ jnp.linalg.inv(S)
print(K.shape)
