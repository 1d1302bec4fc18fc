import jax
import jax.numpy as jnp

betas = jnp.linspace(1e-4, 0.02, 1000)
alphas = jnp.cumprod(1 - betas)


@jax.jit
def q_sample(x, t, noise):
    a = alphas[t]
    return jnp.sqrt(a) * x + jnp.sqrt(1 - a) * noise


key = jax.random.PRNGKey(0)
x = jnp.ones((16, 32, 32, 3))
t = jax.random.randint(key, (16,), 0, 1000)
print(q_sample(x, t, jax.random.normal(key, x.shape)).shape)
