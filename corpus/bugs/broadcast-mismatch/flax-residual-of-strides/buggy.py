import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    width: int
    stride: int = 1

    @nn.compact
    def __call__(self, x):
        y = nn.relu(nn.Conv(self.width, (3, 3), (self.stride, self.stride))(x))
        y = nn.Conv(self.width, (3, 3))(y)
        return nn.relu(y + nn.Conv(self.width, (1, 1), (1, 1))(x))


x = jnp.ones((2, 16, 16, 3))
model = Block(8, 2)
params = model.init(jax.random.PRNGKey(0), x)
print(model.apply(params, x).shape)
