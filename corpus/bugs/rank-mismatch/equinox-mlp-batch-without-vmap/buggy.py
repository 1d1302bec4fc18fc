import equinox as eqx
import jax
import jax.numpy as jnp

mlp = eqx.nn.MLP(in_size=8, out_size=3, width_size=16, depth=2, key=jax.random.PRNGKey(0))
batch = jnp.ones((5, 8))
print(mlp(batch).shape)
