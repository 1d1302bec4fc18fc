import equinox as eqx
import jax
import jax.numpy as jnp


class CNN(eqx.Module):
    conv: eqx.nn.Conv2d
    pool: eqx.nn.MaxPool2d
    linear: eqx.nn.Linear

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.conv = eqx.nn.Conv2d(1, 3, kernel_size=4, key=k1)
        self.pool = eqx.nn.MaxPool2d(kernel_size=2, stride=2)
        self.linear = eqx.nn.Linear(3 * 12 * 12, 10, key=k2)

    def __call__(self, x):
        x = self.pool(jax.nn.relu(self.conv(x)))
        return self.linear(jnp.ravel(x))


model = CNN(jax.random.PRNGKey(0))
x = jnp.ones((8, 1, 28, 28))
y = model(x)
print(y.shape)
