import tensorflow as tf


def rosenbrock(p, a, b):
    return (a - p[0]) ** 2 + b * (p[1] - p[0] ** 2) ** 2


@tf.function
def newton_step(point, objective):
    with tf.GradientTape() as outer:
        outer.watch(point)
        with tf.GradientTape() as inner:
            inner.watch(point)
            value = objective(point)
        slope = inner.gradient(value, point)
    curvature = outer.jacobian(slope, point)
    return point - tf.linalg.solve(curvature, slope[:, tf.newaxis])[:, 0], value


banana = lambda p: rosenbrock(p, 1.0, 20.0)
point = tf.constant([-0.5, 1.5])
for _ in range(8):
    point, value = newton_step(point, banana)
print(point.numpy(), float(value))
