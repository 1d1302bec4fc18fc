import tensorflow as tf
from tensorflow.keras import layers
x = layers.Input((12, 8))
seq, fh, fc, bh, bc = layers.Bidirectional(layers.LSTM(16, return_sequences=True, return_state=True))(x)
h = layers.concatenate([fh, bh])
y = layers.Dense(4)(h)
