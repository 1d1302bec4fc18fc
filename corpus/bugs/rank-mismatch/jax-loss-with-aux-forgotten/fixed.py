import jax
import jax.numpy as jnp


def loss(w, x, y):
    logits = x @ w
    loss = jnp.mean(jax.nn.softplus(-y * logits))
    accuracy = jnp.mean((logits > 0) == (y > 0))
    return loss, accuracy


w, x, y = jnp.zeros(6), jnp.ones((12, 6)), jnp.ones(12)
(value, acc), g = jax.value_and_grad(loss, has_aux=True)(w, x, y)
