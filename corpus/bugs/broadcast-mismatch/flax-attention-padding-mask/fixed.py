import jax
import jax.numpy as jnp
from flax import linen as nn


class Block(nn.Module):
    heads: int = 4

    @nn.compact
    def __call__(self, x, pad):
        mask = pad[:, None, None, :]
        h = nn.MultiHeadDotProductAttention(num_heads=self.heads)(x, x, mask=mask)
        return nn.LayerNorm()(x + h)


x, pad = jnp.ones((3, 12, 32)), jnp.ones((3, 12), bool)
print(Block().init_with_output(jax.random.key(0), x, pad)[0].shape)
