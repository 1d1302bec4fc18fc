import numpy as np
from tensorflow.keras import layers, models, optimizers

rng = np.random.RandomState(77)
mails = rng.poisson(0.3, size=(128, 50)).astype("float32")
spam = rng.randint(0, 2, size=(128, 1))


def spam_filter(n_words, units=(32, 16), out_activation="sigmoid"):
    model = models.Sequential([layers.Input(shape=(n_words,))])
    for n in units:
        model.add(layers.Dense(n, activation="relu"))
    model.add(layers.Dense(1, activation=out_activation))
    return model


model = spam_filter(mails.shape[1])
model.compile(optimizer=optimizers.Adam(1e-3), loss="binary_crossentropy", metrics=["accuracy"])
history = model.fit(mails, spam, epochs=1, batch_size=32, verbose=0)
print(history.history["accuracy"])
