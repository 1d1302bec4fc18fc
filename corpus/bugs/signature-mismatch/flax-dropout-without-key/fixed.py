import flax.linen as nn
import jax
import jax.numpy as jnp


class MLP(nn.Module):
    @nn.compact
    def __call__(self, x, deterministic):
        x = nn.relu(nn.Dense(32)(x))
        x = nn.Dropout(0.5, deterministic=deterministic)(x)
        return nn.Dense(3)(x)


mlp = MLP()
x = jnp.ones((4, 7))
params = mlp.init(jax.random.PRNGKey(0), x, True)
logits = mlp.apply(params, x, False, rngs={"dropout": jax.random.PRNGKey(1)})
print(logits.shape)
