import numpy as np
import tensorflow as tf
from tensorflow import keras


class AttentionPool(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.score = keras.layers.Dense(1)

    def call(self, states):
        weights = tf.nn.softmax(self.score(states), axis=1)
        return tf.reduce_sum(weights * states, axis=1), weights


tokens = keras.Input((7,), dtype="int32")
states = keras.layers.Embedding(30, 8)(tokens)
pool = AttentionPool()
pooled, attention = pool(states)
model = keras.Model(tokens, keras.layers.Dense(2)(pooled))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
x, y = np.random.randint(0, 30, (16, 7)), np.random.randint(0, 2, 16)
model.fit(x, y, verbose=0)
weights = keras.Model(tokens, attention).predict(x[:1], verbose=0)
print(np.round(weights[0, :, 0], 2))
