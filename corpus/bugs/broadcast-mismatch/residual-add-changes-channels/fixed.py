from tensorflow import keras
from tensorflow.keras import layers


def residual_block(x, filters, stride=1, project=False):
    shortcut = x
    y = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    y = layers.BatchNormalization()(y)
    y = layers.ReLU()(y)
    y = layers.Conv2D(filters, 3, padding="same", use_bias=False)(y)
    y = layers.BatchNormalization()(y)
    if project:
        shortcut = layers.Conv2D(filters, 1, strides=stride)(shortcut)
    y = layers.Add()([y, shortcut])
    return layers.ReLU()(y)


inputs = keras.Input((32, 32, 3))
x = layers.Conv2D(16, 3, padding="same")(inputs)
x = residual_block(x, 16)
x = residual_block(x, 32, project=True)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(10, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy")
model.summary()
