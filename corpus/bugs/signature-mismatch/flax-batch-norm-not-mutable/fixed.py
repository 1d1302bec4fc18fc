import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(64)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        return nn.Dense(1)(nn.relu(x))


net = Net()
x = jnp.ones((16, 5))
variables = net.init(jax.random.PRNGKey(0), x, train=False)
out, updates = net.apply(variables, x, train=True, mutable=["batch_stats"])
print(out.shape)
