import numpy as np
import keras

inputs = keras.Input((5,))
logits = keras.layers.Dense(3)(inputs)
model = keras.Model(inputs, logits)
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile("sgd", loss, metrics=[keras.metrics.SparseCategoricalAccuracy(name="hits")])
print(model.evaluate(np.random.rand(12, 5), np.random.randint(0, 3, (12, 1)), verbose=0))
