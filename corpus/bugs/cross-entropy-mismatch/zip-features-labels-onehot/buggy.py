import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
texts = rng.integers(0, 100, size=(60, 20))
topics = rng.integers(0, 5, size=60)
features = tf.data.Dataset.from_tensor_slices(texts)
labels = tf.data.Dataset.from_tensor_slices(topics)
train = tf.data.Dataset.zip((features, labels)).shuffle(60).batch(10)

model = tf.keras.Sequential()
model.add(tf.keras.layers.Embedding(100, 8))
model.add(tf.keras.layers.GlobalAveragePooling1D())
model.add(tf.keras.layers.Dense(5, activation="softmax"))
model.compile(loss=tf.keras.losses.CategoricalCrossentropy(), optimizer="adam")
model.fit(train, epochs=1, verbose=0)
