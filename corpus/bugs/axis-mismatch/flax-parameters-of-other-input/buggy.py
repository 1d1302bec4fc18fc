import flax.linen as nn
import jax
import jax.numpy as jnp


class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(32)(x))
        return nn.Dense(3)(x)


model = Model()
variables = model.init(jax.random.PRNGKey(0), jnp.ones((1, 4)))
print(model.apply(variables, jnp.ones((20, 5))).shape)
