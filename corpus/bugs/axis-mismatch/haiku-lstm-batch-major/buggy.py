import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    core = hk.LSTM(16)

    outputs, state = hk.dynamic_unroll(core, x, core.initial_state(8))
    return hk.Linear(3)(outputs[-1])


f = hk.without_apply_rng(hk.transform(forward))
x = jnp.ones((8, 20, 5))
params = f.init(jax.random.PRNGKey(0), x)
print(f.apply(params, x).shape)
