import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    channels: int
    stride: int = 1

    @nn.compact
    def __call__(self, x):
        y = nn.relu(nn.Conv(self.channels, (3, 3), strides=(self.stride, self.stride))(x))
        y = nn.Conv(self.channels, (3, 3))(y)
        skip = x
        return nn.relu(y + skip)


block = Block(channels=16, stride=2)
x = jnp.ones((4, 32, 32, 16))
print(block.init_with_output(jax.random.PRNGKey(0), x)[0].shape)
