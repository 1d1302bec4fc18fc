import numpy as np
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Input, Lambda
from tensorflow.keras.models import Model

BATCH, WIDTH, LATENT = 50, 120, 8


def sample(parts):
    mean, spread = parts
    noise = K.random_normal(shape=(BATCH, LATENT))
    return mean + K.exp(spread / 2) * noise


def autoencoder():
    inputs = Input(shape=(WIDTH,))
    hidden = Dense(64, activation="relu")(inputs)
    mean = Dense(LATENT)(hidden)
    spread = Dense(LATENT)(hidden)
    code = Lambda(sample, output_shape=(LATENT,))([mean, spread])
    hidden = Dense(64, activation="relu")(code)
    return Model(inputs, Dense(WIDTH, activation="sigmoid")(hidden))


random = np.random.RandomState(2)
texts = random.rand(376, WIDTH).astype("float32")
texts /= texts.sum(axis=1, keepdims=True)
model = autoencoder()
model.summary()
model.compile(optimizer="rmsprop", loss="binary_crossentropy")
model.fit(texts, texts, batch_size=BATCH, epochs=1, verbose=0)
