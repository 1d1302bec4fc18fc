import haiku as hk
import jax
import jax.numpy as jnp


def forward(x, is_training):
    h = hk.Linear(32)(x)
    h = hk.BatchNorm(True, True, 0.9)(h, is_training)
    return hk.Linear(1)(jax.nn.relu(h))


net = hk.transform_with_state(forward)
x = jnp.ones((8, 4))
params, state = net.init(jax.random.PRNGKey(0), x, True)
out = net.apply(params, None, x, True)
print(out.shape)
