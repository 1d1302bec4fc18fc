import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.tanh(nn.Dense(16)(x)))


net = Net()
keys = jax.random.split(jax.random.PRNGKey(0), 5)
x = jnp.ones((32, 3))
params = jax.vmap(net.init, in_axes=(0, None))(keys, x)
preds = net.apply(params, x)
print(preds.mean(axis=0).shape)
