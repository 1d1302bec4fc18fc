import tensorflow as tf

SIGMA, RHO, BETA = 10.0, 28.0, 8.0 / 3.0


def lorenz(state):
    x, y, z = state
    return tf.stack([SIGMA * (y - x), x * (RHO - z) - y, x * y - BETA * z])


@tf.function
def runge_kutta(state, h):
    k1 = lorenz(state)
    k2 = lorenz(state + 0.5 * h * k1)
    k3 = lorenz(state + 0.5 * h * k2)
    k4 = lorenz(state + h * k3)
    return state + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


state = tf.constant([1.0, 1.0, 1.0])
for _ in range(50):
    state = runge_kutta(state, tf.constant(0.01))
print(state.numpy())
