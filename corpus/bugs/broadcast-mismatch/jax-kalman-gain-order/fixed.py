import jax
import jax.numpy as jnp


def kalman(ys, A, C, Q, R, m0, P0):
    def step(carry, y):
        m, P = carry
        m, P = A @ m, A @ P @ A.T + Q
        S = C @ P @ C.T + R
        K = jnp.linalg.solve(S, C @ P).T
        m = m + K @ (y - C @ m)
        P = P - K @ S @ K.T
        return (m, P), m

    return jax.lax.scan(step, (m0, P0), ys)


A, C = jnp.eye(4), jnp.ones((2, 4))
(m, P), ms = kalman(jnp.ones((30, 2)), A, C, jnp.eye(4), jnp.eye(2), jnp.zeros(4), jnp.eye(4))
print(ms.shape)
