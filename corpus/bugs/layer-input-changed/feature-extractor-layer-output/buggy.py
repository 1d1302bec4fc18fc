import keras
import numpy as np

inputs = keras.Input((28, 28, 1))
x = keras.layers.Conv2D(8, 3, activation="relu")(inputs)
x = keras.layers.MaxPooling2D()(x)
x = keras.layers.Flatten(name="flat")(x)
x = keras.layers.Dense(64, activation="relu", name="embedding")(x)
outputs = keras.layers.Dense(10, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy")
rng = np.random.default_rng(0)
images, labels = rng.random((20, 28, 28, 1)), rng.integers(0, 10, 20)
model.fit(images, labels, epochs=1, verbose=0)

extractor = keras.Model(model.input, model.get_layer("flat").output)
features = extractor.predict(images, verbose=0)
head = keras.Sequential([keras.Input((64,)), keras.layers.Dense(2, activation="softmax")])
head.compile("adam", "sparse_categorical_crossentropy")
head.fit(features, labels % 2, epochs=1, verbose=0)
