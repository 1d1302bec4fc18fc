import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model
inp = layers.Input((16,))
h = layers.Dense(8, activation="relu")(inp)
age = layers.Dense(1, name="age")(h)
sex = layers.Dense(2, activation="softmax", name="sex")(h)
m = Model(inp, [age, sex])
m.compile("adam", loss={"age": "mse", "sex": "categorical_crossentropy"})
x = np.random.rand(30, 16)
ages = np.random.rand(30, 1); sexes = np.random.randint(0, 2, 30)
m.fit(x, {"age": ages, "sex": tf.keras.utils.to_categorical(sexes, 2)}, verbose=0)
