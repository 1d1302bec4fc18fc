import jax.numpy as jnp
import optax

x, w = jnp.ones((40, 5)), jnp.ones((5, 1))
targets = jnp.zeros(40)
predictions = x @ w
print(optax.squared_error(predictions, targets).mean())
