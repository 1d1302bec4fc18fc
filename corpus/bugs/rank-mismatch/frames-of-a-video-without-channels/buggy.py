import numpy as np
from tensorflow.keras.layers import Conv2D, Dense, Dropout, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential
from tensorflow.keras.utils import to_categorical

HEIGHT, WIDTH = 72, 128
FRAMES = 45


def read_video(frames):
    """Grey frames, brightness 0 to 255, in which a bar moves to the right."""
    video = np.zeros((frames, HEIGHT, WIDTH), dtype=np.uint8)
    for k in range(frames):
        video[k, :, (2 * k) % WIDTH:(2 * k) % WIDTH + 8] = 255
    return video


def label_of(frame_number):
    return 0 if frame_number < 15 else 1 if frame_number < 30 else 2


X_train = read_video(FRAMES)
y_train = to_categorical([label_of(k) for k in range(FRAMES)])
X_train = X_train.astype("float32") / 255
print(X_train.shape, y_train.shape)

model = Sequential()
model.add(Conv2D(8, (3, 3), activation="relu", input_shape=(HEIGHT, WIDTH, 3)))
model.add(MaxPooling2D((4, 4)))
model.add(Conv2D(8, (3, 3), activation="relu"))
model.add(MaxPooling2D((4, 4)))
model.add(Dropout(0.25))
model.add(Flatten())
model.add(Dense(16, activation="relu"))
model.add(Dense(3, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="sgd", metrics=["accuracy"])

order = np.random.permutation(FRAMES)
model.fit(X_train[order], y_train[order], batch_size=9, epochs=1, verbose=0)
print(model.predict(X_train[:3], verbose=0).argmax(axis=1))
