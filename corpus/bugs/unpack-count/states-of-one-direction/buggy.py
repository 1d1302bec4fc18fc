import tensorflow as tf
from tensorflow.keras import layers
x = layers.Input((12, 8))
seq, h, c = layers.Bidirectional(layers.LSTM(16, return_sequences=True, return_state=True))(x)
y = layers.Dense(4)(h)
