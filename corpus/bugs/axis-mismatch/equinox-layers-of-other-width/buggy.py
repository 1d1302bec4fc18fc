import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        a, b = jax.random.split(key)
        self.first = eqx.nn.Linear(6, 24, key=a)
        self.second = eqx.nn.Linear(32, 2, key=b)

    def __call__(self, x):
        return self.second(jax.nn.relu(self.first(x)))


print(Net(jax.random.PRNGKey(1))(jnp.ones(6)).shape)
