import flax.linen as nn
import jax
import jax.numpy as jnp


class Scorer(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.width)(x))
        table = self.param("table", nn.initializers.normal(0.1), (64, 3))
        return x @ table


model = Scorer(width=48)
print(jax.tree.map(jnp.shape, model.init(jax.random.PRNGKey(0), jnp.ones((2, 9)))))
