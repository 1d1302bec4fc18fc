import equinox as eqx
import jax
import jax.numpy as jnp


class RNN(eqx.Module):
    cell: eqx.nn.GRUCell
    head: eqx.nn.Linear
    hidden: int

    def __init__(self, inputs, hidden, outputs, key):
        k1, k2 = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(inputs, hidden, key=k1)
        self.head = eqx.nn.Linear(hidden, outputs, key=k2)
        self.hidden = hidden

    def __call__(self, xs):
        def step(h, x):
            return self.cell(x, h), None

        h, _ = jax.lax.scan(step, jnp.zeros(self.hidden), xs)
        return self.head(h)


model = RNN(3, 20, 1, jax.random.PRNGKey(0))
print(jax.vmap(model)(jnp.ones((5, 11, 3))).shape)
