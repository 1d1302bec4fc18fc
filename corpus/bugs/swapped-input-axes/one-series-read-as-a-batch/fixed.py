import numpy as np
import keras

STEPS, CLASSES = 96, 2


def signals(count, seed):
    random = np.random.RandomState(seed)
    kinds = random.randint(0, CLASSES, count)
    waves = np.sin(np.linspace(0, 6, STEPS) * (1 + kinds[:, None])) + random.rand(count, STEPS)
    return waves.reshape(count, STEPS, 1), kinds


def network(shape):
    inputs = keras.Input(shape)
    maps = keras.layers.Conv1D(16, 3, padding="same")(inputs)
    maps = keras.layers.ReLU()(keras.layers.BatchNormalization()(maps))
    pooled = keras.layers.GlobalAveragePooling1D()(maps)
    return keras.Model(inputs, keras.layers.Dense(CLASSES, activation="softmax")(pooled))


train, train_kinds = signals(64, 0)
test, test_kinds = signals(16, 1)
mean, spread = train.mean(), train.std()
train, test = (train - mean) / spread, (test - mean) / spread

model = network(train.shape[1:])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
found = model.predict(test[:1], verbose=0)
print(found.shape, test_kinds[0])
