import flax.linen as nn
import jax
import jax.numpy as jnp


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(8, (3, 3))(x))
        x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        x = x.reshape((x.shape[0], 7 * 7 * 8))
        return nn.Dense(10)(x)


m = CNN()
v = m.init(jax.random.PRNGKey(0), jnp.ones((1, 28, 28, 1)))
print(m.apply(v, jnp.ones((4, 28, 28, 1))).shape)
