import haiku as hk
import jax
import jax.numpy as jnp


class Heads(hk.Module):
    def __init__(self, heads, size):
        super().__init__()
        self.heads, self.size = heads, size

    def __call__(self, x):
        b, t, _ = x.shape
        q = hk.Linear(self.heads * self.size)(x)
        return q.reshape(b, t, self.heads, self.heads)


model = hk.without_apply_rng(hk.transform(lambda x: Heads(4, 6)(x)))
x = jnp.ones((2, 5, 12))
params = model.init(jax.random.PRNGKey(0), x)
print(model.apply(params, x).shape)
