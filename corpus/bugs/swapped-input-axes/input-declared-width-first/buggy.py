import numpy as np
from keras.layers import Conv2D, Dense, Dropout, Flatten, Input, MaxPooling2D
from keras.models import Sequential
from keras.utils import to_categorical

IMG_WIDTH = 160
IMG_HEIGHT = 120
CHANNELS = 3


def load_data(count):
    images, labels = [], []
    for number in range(count):
        canvas = np.random.randint(0, 256, (IMG_HEIGHT, IMG_WIDTH, CHANNELS), dtype=np.uint8)
        images.append(canvas[:, ::-1] if number % 2 else canvas)
        labels.append(number % 2)
    return np.array(images), np.array(labels)


X, y = load_data(12)
X = X.astype('float32') / 255.0
y = to_categorical(y, num_classes=2)
print(X.shape, y.shape)

perm = np.random.permutation(len(X))
X, y = X[perm], y[perm]
n_train = int(0.8 * len(X))
X_train, y_train = X[:n_train], y[:n_train]
X_val, y_val = X[n_train:], y[n_train:]

model = Sequential()
model.add(Input(shape=(IMG_WIDTH, IMG_HEIGHT, CHANNELS)))
model.add(Conv2D(32, (3, 3), activation='relu'))
model.add(MaxPooling2D((2, 2)))
model.add(Conv2D(64, (3, 3), activation='relu'))
model.add(MaxPooling2D((2, 2)))
model.add(Flatten())
model.add(Dense(64, activation='relu'))
model.add(Dropout(0.5))
model.add(Dense(2, activation='softmax'))
model.compile(optimizer='rmsprop', loss='categorical_crossentropy', metrics=['accuracy'])
model.fit(X_train, y_train, epochs=1, batch_size=4, validation_data=(X_val, y_val))
