"""A training script that has survived several library versions: fallbacks, feature tests, rank guards."""
import inspect
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

try:
    from tensorflow.contrib import rnn as contrib_rnn
except ImportError:
    contrib_rnn = None

try:
    import keras
    from keras import ops
except ImportError:
    from tensorflow import keras

    ops = None

try:
    from keras.utils import to_categorical
except ImportError:
    from keras.utils.np_utils import to_categorical

TF_MAJOR = int(tf.__version__.split(".")[0])
KERAS_MAJOR = int(keras.__version__.split(".")[0])
CHANNELS_LAST = keras.backend.image_data_format() == "channels_last"

if TF_MAJOR < 2:
    tf.enable_eager_execution()
    random_normal = tf.random_normal
else:
    random_normal = tf.random.normal


def image_shape(rows, cols, channels):
    if CHANNELS_LAST:
        return (rows, cols, channels)
    return (channels, rows, cols)


def as_images(x, rows, cols, channels=1):
    """Accepts (n, rows*cols*channels), (n, rows, cols) or complete images."""
    x = np.asarray(x, dtype="float32")
    if x.ndim == 2:
        x = x.reshape(len(x), rows, cols, channels)
    elif x.ndim == 3:
        x = x[..., np.newaxis]
    elif x.ndim != 4:
        raise ValueError("cannot make images of rank %d" % x.ndim)
    if not CHANNELS_LAST:
        x = np.transpose(x, (0, 3, 1, 2))
    return x


def pool(x, size=2):
    if KERAS_MAJOR >= 3:
        return keras.layers.MaxPooling2D(size)(x)
    return keras.layers.MaxPooling2D(pool_size=(size, size))(x)


def recurrent(units, **options):
    if contrib_rnn is not None:
        return keras.layers.RNN(contrib_rnn.BasicLSTMCell(units), **options)
    accepted = inspect.signature(keras.layers.LSTM.__init__).parameters
    options = {k: v for k, v in options.items() if k in accepted or "kwargs" in accepted}
    return keras.layers.LSTM(units, **options)


def squeeze_last(x):
    """(n, 1) and (n,) both become (n,)."""
    if len(x.shape) == 2 and x.shape[-1] == 1:
        x = x[:, 0]
    return x


def mean_squared(a, b):
    a, b = squeeze_last(a), squeeze_last(b)
    if ops is not None:
        return ops.mean(ops.square(a - b))
    return tf.reduce_mean(tf.square(a - b))


def matmul_any(a, b):
    """Matrix product for vectors too, where tf.matmul wants at least matrices."""
    vector = len(b.shape) == 1
    if vector:
        b = tf.expand_dims(b, -1)
    c = tf.matmul(a, b)
    return tf.squeeze(c, -1) if vector else c


def build(kind, rows, cols, classes):
    inputs = keras.layers.Input(image_shape(rows, cols, 1))
    if kind == "conv":
        x = keras.layers.Conv2D(6, 3, activation="relu")(inputs)
        x = pool(x)
        x = keras.layers.Flatten()(x)
        features = 6 * ((rows - 2) // 2) * ((cols - 2) // 2)
    else:
        x = keras.layers.Reshape((rows, cols))(inputs)
        x = recurrent(7, return_sequences=False)(x)
        features = 7
    assert x.shape[-1] == features
    if classes == 2:
        outputs = keras.layers.Dense(1, activation="sigmoid")(x)
        loss = "binary_crossentropy"
    else:
        outputs = keras.layers.Dense(classes, activation="softmax")(x)
        loss = "categorical_crossentropy"
    model = keras.models.Model(inputs, outputs)
    model.compile(loss=loss, optimizer="sgd", metrics=["accuracy"])
    return model


def labels_for(y, classes):
    return y.astype("float32").reshape(-1, 1) if classes == 2 else to_categorical(y, classes)


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    flat = rng.rand(24, 9 * 11)
    for kind in ["conv", "recurrent"]:
        for classes in (2, 4):
            target = rng.randint(0, classes, 24)
            model = build(kind, 9, 11, classes)
            model.fit(as_images(flat, 9, 11), labels_for(target, classes), epochs=1, batch_size=10, verbose=0)
            scores = model.predict(as_images(flat.reshape(24, 9, 11), 9, 11), verbose=0)
            guess = scores.argmax(axis=1) if classes > 2 else (squeeze_last(scores) > 0.5).astype(int)
            print(kind, classes, (guess == target).mean())

    print(mean_squared(tf.ones([5, 1]), tf.zeros([5])).numpy())
    print(matmul_any(random_normal([3, 4]), tf.ones([4])).shape, matmul_any(random_normal([3, 4]), tf.ones([4, 2])).shape)
    try:
        as_images(np.zeros(12), 3, 4)
    except ValueError as problem:
        print("refused:", problem)
