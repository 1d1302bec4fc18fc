import numpy as np
import tensorflow as tf

NUMERIC = ["age", "fare", "siblings"]
rng = np.random.default_rng(0)
table = {name: rng.normal(size=(60,)).astype("float32") for name in NUMERIC}
survived = rng.integers(0, 2, 60)


def pack(features, label):
    columns = [features[name] for name in NUMERIC]
    return tf.stack(columns, axis=-1), label


train = tf.data.Dataset.from_tensor_slices((table, survived)).batch(12).map(pack)
model = tf.keras.Sequential([
    tf.keras.Input((len(NUMERIC),)),
    tf.keras.layers.Dense(8, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=1, verbose=0)
