import numpy as np
import keras

reviews = np.random.randint(0, 100, (40, 20))
liked = np.random.randint(0, 2, 40)
model = keras.Sequential()
model.add(keras.Input((20,)))
model.add(keras.layers.Embedding(100, 8))
model.add(keras.layers.LSTM(8))
model.add(keras.layers.Dense(1))
model.compile("rmsprop", keras.losses.BinaryCrossentropy(from_logits=True))
model.fit(reviews, liked, verbose=0)
