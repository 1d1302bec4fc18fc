import jax
import jax.numpy as jnp
import optax

logits, labels = jnp.ones((8, 5)), jnp.zeros(8, dtype=int)
print(optax.softmax_cross_entropy(logits, labels).mean())
