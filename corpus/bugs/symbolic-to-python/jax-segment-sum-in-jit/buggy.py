import jax
import jax.numpy as jnp


@jax.jit
def aggregate(nodes, senders, receivers):
    messages = nodes[senders]
    return jax.ops.segment_sum(messages, receivers)


nodes = jnp.ones((6, 3))
senders = jnp.array([0, 1, 2, 3])
receivers = jnp.array([1, 2, 3, 5])
print(aggregate(nodes, senders, receivers).shape)
