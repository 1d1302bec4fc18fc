import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint

A = jnp.array([[0.0, 1.0], [-1.0, 0.0]])


def rhs(t, y):
    return A @ y


ts = jnp.linspace(0.0, 10.0, 101)
ys = odeint(rhs, jnp.array([1.0, 0.0]), ts)
print(ys.shape)
