import numpy as np
from tensorflow import keras

digits = np.random.rand(20, 64).astype("float32")
net = keras.Sequential([keras.Input((64,)), keras.layers.Dense(10, activation="softmax")])
predicted = np.argmax(net.predict(digits, verbose=0))
print("classes:", predicted)
