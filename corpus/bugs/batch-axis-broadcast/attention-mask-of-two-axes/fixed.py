import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

words = keras.Input((6,), dtype="int32")
real = keras.Input((6,), dtype="bool")
embedded = layers.Embedding(50, 8)(words)
attended = layers.MultiHeadAttention(num_heads=2, key_dim=4)(embedded, embedded, attention_mask=layers.Reshape((1, 6))(real))
pooled = layers.GlobalAveragePooling1D()(attended)
model = keras.Model([words, real], layers.Dense(1, activation="sigmoid")(pooled))
texts = np.random.randint(0, 50, (6, 6))
print(model.predict([texts, texts > 0], verbose=0).shape)
