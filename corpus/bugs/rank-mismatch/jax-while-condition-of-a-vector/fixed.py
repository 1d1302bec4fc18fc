import jax
import jax.numpy as jnp


def solve(x0, tol=1e-4):
    def cond(state):
        x, step = state
        return jnp.any(jnp.abs(step) > tol)

    def body(state):
        x, _ = state
        step = (x**2 - 2.0) / (2 * x)
        return x - step, step

    return jax.lax.while_loop(cond, body, (x0, jnp.ones_like(x0)))


print(solve(jnp.array([1.0, 2.0, 3.0])))
