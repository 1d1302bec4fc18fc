import jax
import jax.numpy as jnp


def probabilities(logits):
    return jax.nn.softmax(logits, axis=1)


print(probabilities(jnp.zeros(10)))
