import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self, features, hidden, rngs):
        self.rnn = nnx.RNN(nnx.GRUCell(features, hidden, rngs=rngs))
        self.out = nnx.Linear(features, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(self.rnn(x)[:, -1])


print(Model(6, 32, nnx.Rngs(0))(jnp.ones((4, 15, 6))).shape)
