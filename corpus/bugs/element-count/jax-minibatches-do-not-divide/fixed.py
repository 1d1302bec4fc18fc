import jax
import jax.numpy as jnp


def minibatches(key, batch, count):
    size = batch["obs"].shape[0]
    order = jax.random.permutation(key, size)
    shuffled = jax.tree_util.tree_map(lambda x: jnp.take(x, order, axis=0), batch)
    return jax.tree_util.tree_map(lambda x: x.reshape((count, -1) + x.shape[1:]), shuffled)


batch = {"obs": jnp.ones((256, 4)), "action": jnp.zeros(256, jnp.int32)}
made = minibatches(jax.random.PRNGKey(0), batch, 8)
print(made["obs"].shape)
