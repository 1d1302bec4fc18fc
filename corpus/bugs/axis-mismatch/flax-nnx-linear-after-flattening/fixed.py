import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.conv = nnx.Conv(1, 12, (3, 3), rngs=rngs)
        self.linear = nnx.Linear(12 * 8 * 8, 5, rngs=rngs)

    def __call__(self, x):
        x = nnx.relu(self.conv(x))
        return self.linear(x.reshape(x.shape[0], -1))


print(Net(nnx.Rngs(0))(jnp.ones((2, 8, 8, 1))).shape)
