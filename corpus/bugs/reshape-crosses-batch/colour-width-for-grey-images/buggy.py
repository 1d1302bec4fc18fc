from tensorflow import keras
from tensorflow.keras.datasets import mnist
from tensorflow.keras.layers import Dense

(x_train, _), (x_test, _) = mnist.load_data()

pixels = x_train.shape[1] * x_train.shape[2] * 3
x_train = x_train.reshape(-1, pixels).astype("float32") / 255.0
x_test = x_test[:300].reshape(-1, pixels).astype("float32") / 255.0

autoencoder = keras.models.Sequential()
autoencoder.add(keras.layers.Input((pixels,)))
autoencoder.add(Dense(24, activation="relu"))
autoencoder.add(Dense(pixels, activation="sigmoid"))
autoencoder.compile(optimizer="adam", loss="binary_crossentropy")
autoencoder.fit(x_train[:500], x_train[:500], epochs=1, batch_size=100, verbose=0)
print(autoencoder.predict(x_test, verbose=0).shape)
