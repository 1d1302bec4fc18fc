import numpy as np
from tensorflow import keras

(train_images, train_labels), _ = keras.datasets.mnist.load_data()
train_images = train_images[:512] / 255.0
train_labels = train_labels[:512]
train_images = train_images[..., np.newaxis]

rows = train_images.shape[1]
cols = train_images.shape[2]
channels = train_images.shape[3]

model = keras.Sequential(
    [
        keras.Input((rows, cols, channels)),
        keras.layers.Conv2D(8, 3, strides=2, activation="relu"),
        keras.layers.Conv2D(16, 3, strides=2, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(10, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train_images, train_labels, batch_size=128, verbose=0)
