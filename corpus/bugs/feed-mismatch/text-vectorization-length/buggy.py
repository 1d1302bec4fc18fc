import keras
import numpy as np
import tensorflow as tf

MAX_TOKENS, SEQ_LEN = 100, 20
texts = np.array(["good film", "bad film", "great acting", "poor story"] * 6)
labels = np.array([1, 0, 1, 0] * 6)

vectorize = keras.layers.TextVectorization(max_tokens=MAX_TOKENS, output_sequence_length=SEQ_LEN * 2)
vectorize.adapt(texts)
tokens = vectorize(tf.constant(texts)).numpy()

inputs = keras.Input((SEQ_LEN,), dtype="int64")
x = keras.layers.Embedding(MAX_TOKENS, 8)(inputs)
x = keras.layers.Conv1D(16, 3, activation="relu")(x)
x = keras.layers.Flatten()(x)
model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy")
model.fit(tokens, labels, epochs=1, verbose=0)
