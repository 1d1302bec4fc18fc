import keras
from keras import layers

UNITS = 48
SOURCE_VOCAB, TARGET_VOCAB = 900, 700

source = keras.Input((None,), dtype="int32", name="source")
target = keras.Input((None,), dtype="int32", name="target")

embedded = layers.Embedding(SOURCE_VOCAB, 32)(source)
encoder = layers.Bidirectional(layers.LSTM(UNITS, return_state=True), name="encoder")
_, fh, fc, bh, bc = encoder(embedded)
state_h = layers.Concatenate()([fh, bh])
state_c = layers.Concatenate()([fc, bc])

decoder = layers.LSTM(2 * UNITS, return_sequences=True, name="decoder")
decoded = decoder(layers.Embedding(TARGET_VOCAB, 32)(target), initial_state=[state_h, state_c])
words = layers.Dense(TARGET_VOCAB, activation="softmax")(decoded)
model = keras.Model([source, target], words)
model.compile("adam", "sparse_categorical_crossentropy")
print(model([keras.ops.zeros((2, 5), "int32"), keras.ops.zeros((2, 7), "int32")]).shape)
