import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

CONFIG = {
    "image": (50, 50),
    "classes": 4,
    "filters": 64,
    "heads": 2,
    "rnn_units": 16,
}


def make_dataset(count=12, batch=4):
    height, width = CONFIG["image"]
    images = tf.random.uniform((count, height, width, 1), seed=3)
    labels = tf.range(count) % CONFIG["classes"]
    return tf.data.Dataset.from_tensor_slices((images, labels)).batch(batch)


def conv_stage(x, filters, name):
    x = layers.Conv2D(filters, (3, 3), activation="relu", padding="same", name=name)(x)
    return layers.BatchNormalization(name=name + "_bn")(x)


def build_model():
    height, width = CONFIG["image"]
    image = layers.Input(shape=(height, width, 1), name="image")
    x = conv_stage(image, 16, "conv1")
    x = conv_stage(x, CONFIG["filters"], "conv2")

    # columns of the picture become the steps of a sequence
    x = layers.Reshape(target_shape=(width, height * CONFIG["filters"]), name="reshape")(x)
    x = layers.Dense(32, activation="relu", name="dense1")(x)
    x = layers.Dropout(0.2)(x)
    x = layers.Bidirectional(layers.LSTM(CONFIG["rnn_units"]))(x)
    output = layers.Dense(CONFIG["classes"], activation="softmax", name="output")(x)

    model = keras.models.Model(inputs=image, outputs=output, name="reader")
    model.compile(optimizer=keras.optimizers.Adam(), loss="sparse_categorical_crossentropy")
    return model


model = build_model()
model.summary()
model.fit(make_dataset(), epochs=1, verbose=0)
