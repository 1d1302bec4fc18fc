import haiku as hk
import jax
import jax.numpy as jnp


def network(x):
    h = jax.nn.relu(hk.Linear(32)(x))
    return hk.Linear(10)(h + hk.Linear(32)(x))


model = hk.transform(network)
x = jnp.ones((4, 20))
params = model.init(jax.random.PRNGKey(0), x)
print(model.apply(params, None, x).shape)
