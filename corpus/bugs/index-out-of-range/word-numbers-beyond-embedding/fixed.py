import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
vocab, maxlen = 2000, 40
reviews = np.random.randint(1, 5000, size=(64, maxlen))
labels = np.random.randint(0, 2, size=(64,))
model = keras.Sequential([
    layers.Embedding(5000, 16),
    layers.GlobalAveragePooling1D(),
    layers.Dense(16, activation="relu"),
    layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(reviews, labels, epochs=1, batch_size=32, verbose=0)
