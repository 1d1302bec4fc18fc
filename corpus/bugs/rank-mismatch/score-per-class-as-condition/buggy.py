import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

CLASSES, FEATURES, PATIENCE = 4, 12, 2

rng = np.random.default_rng(0)
x, y = rng.normal(size=(96, FEATURES)), rng.integers(0, CLASSES, 96)
train, held = slice(0, 64), slice(64, 96)


def recall_per_class(labels, predicted):
    hits = np.zeros(CLASSES)
    for each in range(CLASSES):
        of_class = labels == each
        hits[each] = np.mean(predicted[of_class] == each) if of_class.any() else 0.0
    return hits


model = keras.Sequential([layers.Input((FEATURES,)), layers.Dense(16, activation="relu"), layers.Dense(CLASSES)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer="adam", loss=loss)

best, waited = 0.0, 0
for epoch in range(5):
    model.fit(x[train], y[train], batch_size=16, verbose=0)
    scores = recall_per_class(y[held], np.argmax(model.predict(x[held], verbose=0), axis=1))
    if scores > best:
        best, waited = scores, 0
    else:
        waited += 1
    if waited == PATIENCE:
        break
