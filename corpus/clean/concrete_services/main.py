"""Functions by shape: concrete functions from specifications, partial functions and lambdas that are traced once each."""
import functools

import numpy as np
import tensorflow as tf


def resize(image, side, method):
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, [side, side], method=method)
    return image - tf.reduce_mean(image, axis=[0, 1], keepdims=True)


SERVICES = {
    (side, method): tf.function(functools.partial(resize, side=side, method=method)).get_concrete_function(
        tf.TensorSpec([None, None, 3], tf.uint8)
    )
    for side in (8, 16)
    for method in ("bilinear", "area")
}

decode = tf.function(
    lambda raw, channels=3: tf.io.decode_png(raw, channels),
    input_signature=[tf.TensorSpec([], tf.string)],
)

norms = {order: tf.function(lambda rows, order=order: tf.norm(rows, ord=order, axis=-1)) for order in (1, 2, np.inf)}


def main():
    rng = np.random.default_rng(6)
    for height, width in ((20, 30), (12, 9)):
        raw = tf.io.encode_png(rng.integers(0, 255, (height, width, 3), dtype=np.uint8))
        image = decode(raw)
        made = {name: service(image) for name, service in SERVICES.items()}
        flat = tf.reshape(made[(8, "area")], [64, 3])
        print(image.shape, [one.shape[0] for one in made.values()], [float(norm(flat)[0]) for norm in norms.values()])
    print(SERVICES[(16, "bilinear")].structured_outputs.shape)


main()
