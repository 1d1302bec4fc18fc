import numpy as np
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Conv2D, MaxPooling2D, Flatten, Dense
from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.utils import to_categorical

rng = np.random.default_rng(7)
x_train = rng.random((50, 28, 28))
y_train = to_categorical(rng.integers(0, 10, 50), 10)

x_train = x_train.astype("float32")
datagen = ImageDataGenerator(rotation_range=10, zoom_range=0.1)

model = Sequential()
model.add(Conv2D(8, (3, 3), input_shape=(28, 28, 1), activation="relu"))
model.add(MaxPooling2D((2, 2)))
model.add(Flatten())
model.add(Dense(10, activation="softmax"))
model.compile(optimizer="rmsprop", loss="categorical_crossentropy")

model.fit(datagen.flow(x_train, y_train, batch_size=10), epochs=1, verbose=0)
