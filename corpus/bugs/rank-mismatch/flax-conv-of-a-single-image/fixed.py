import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(8, (3, 3))(x))
        return nn.Dense(10)(x.reshape(-1))


image = jnp.ones((28, 28, 1))
net = Net()
params = net.init(jax.random.PRNGKey(0), image)
print(net.apply(params, image).shape)
