import flax.linen as nn
import jax
import jax.numpy as jnp


class Embedder(nn.Module):
    vocabulary: int
    width: int
    length: int

    def setup(self):
        self.tokens = nn.Embed(self.vocabulary, self.width)
        self.positions = self.param("positions", nn.initializers.normal(0.02), (self.length, self.width))

    def __call__(self, ids):
        return self.tokens(ids) + self.positions


ids = jnp.zeros((3, 128), jnp.int32)
model = Embedder(vocabulary=500, width=32, length=128)
print(model.init_with_output(jax.random.PRNGKey(0), ids)[0].shape)
