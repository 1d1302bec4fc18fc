import jax
import jax.numpy as jnp
from flax import linen as nn


class AE(nn.Module):
    def setup(self):
        self.enc = [nn.Conv(f, (3, 3), strides=(2, 2)) for f in (8, 16)]
        self.dec = [nn.ConvTranspose(f, (3, 3), strides=(2, 2)) for f in (8, 8, 1)]

    def __call__(self, x):
        for layer in self.enc:
            x = nn.relu(layer(x))
        for layer in self.dec:
            x = layer(x)
        return x


ae = AE()
x = jnp.ones((4, 28, 28, 1))
params = ae.init(jax.random.PRNGKey(0), x)
loss = jnp.mean((ae.apply(params, x) - x) ** 2)
