import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training import train_state


class MLP(nn.Module):
    hidden: int = 32

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.hidden)(x))
        return nn.Dense(1)(x)


def create(rng, lr, features):
    model = MLP()
    params = model.init(rng, jnp.ones((1, features)))["params"]
    return train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(lr))


@jax.jit
def train_step(state, batch):
    x, y = batch

    def loss_fn(params):
        pred = state.apply_fn({"params": params}, x)
        return jnp.mean((pred - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


state = create(jax.random.PRNGKey(0), 1e-3, 10)
batch = jnp.ones((16, 12)), jnp.ones((16, 1))
for _ in range(3):
    state, loss = train_step(state, batch)
