import keras
import numpy as np
from keras import layers
from keras.applications import MobileNetV2

IMG = 64
base = MobileNetV2(input_shape=(96, 96, 3), include_top=False, weights=None)
base.trainable = False
inputs = keras.Input(shape=(IMG, IMG, 3))
base = MobileNetV2(input_shape=(IMG, IMG, 3), include_top=False, weights=None)
x = base(inputs, training=False)
x = layers.GlobalAveragePooling2D()(x)
x = layers.Dropout(0.2)(x)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="binary_crossentropy")
rng = np.random.default_rng(0)
x_train, y_train = rng.random((4, IMG, IMG, 3)), np.array([0, 1, 0, 1])
model.fit(x_train, y_train, epochs=1, verbose=0)
