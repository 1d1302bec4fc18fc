"""A magnetic field with TensorFlow's NumPy: functions named as in NumPy take tensors of a graph as well."""
import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

EDGES = np.linspace(-1.0, 1.0, 9)


@tf.function
def field(currents, places):
    gaps = tnp.expand_dims(places, 1) - tnp.expand_dims(currents[:, :2], 0)
    squared = tnp.sum(tnp.square(gaps), axis=-1) + 0.01
    turned = tnp.stack([-gaps[..., 1], gaps[..., 0]], axis=-1)
    return tnp.sum(currents[:, 2][None, :, None] * turned / squared[..., None], axis=1)


@tf.function
def divergence(values):
    centres = 0.5 * (EDGES[1:] + EDGES[:-1])
    step = float(np.mean(np.diff(centres)))
    along_x = (values[2:, 1:-1, 0] - values[:-2, 1:-1, 0]) / (2 * step)
    along_y = (values[1:-1, 2:, 1] - values[1:-1, :-2, 1]) / (2 * step)
    return tnp.max(tnp.abs(along_x + along_y))


def main():
    centres = 0.5 * (EDGES[1:] + EDGES[:-1])
    x, y = np.meshgrid(centres, centres, indexing="ij")
    places = tnp.asarray(np.stack([x.ravel(), y.ravel()], axis=1), dtype=tnp.float32)
    currents = tnp.asarray([[2.0, 0.3, 1.0], [-1.5, -0.4, -2.0]], dtype=tnp.float32)
    values = tf.reshape(field(currents, places), [len(centres), len(centres), 2])
    with tf.GradientTape() as tape:
        tape.watch(currents)
        energy = tnp.sum(tnp.square(field(currents, places)))
    print(values.shape, float(divergence(values)), tape.gradient(energy, currents).shape)


main()
