import jax
import jax.numpy as jnp
import flax.linen as nn


class Block(nn.Module):
    dim: int
    heads: int

    @nn.compact
    def __call__(self, x):
        h = nn.LayerNorm()(x)
        h = nn.MultiHeadDotProductAttention(num_heads=self.heads, qkv_features=self.dim)(h, h)
        x = x + h
        h = nn.LayerNorm()(x)
        return x + nn.Dense(self.dim)(nn.gelu(nn.Dense(4 * self.dim)(h)))


block = Block(dim=36, heads=8)
x = jnp.ones((2, 10, 36))
params = block.init(jax.random.PRNGKey(0), x)
