import tensorflow as tf


def hessian_trace(fn, point):
    point = tf.Variable(point)
    trace = 0.0
    for i in range(point.shape[0]):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                value = fn(point)
            slope = inner.gradient(value, point)[i]
        second = outer.gradient(slope, point)
        if second is not None:
            trace += float(second[i])
    return trace


print(hessian_trace(lambda p: p[0] ** 2 * p[1] + p[1] ** 3, [1.0, 2.0]))
