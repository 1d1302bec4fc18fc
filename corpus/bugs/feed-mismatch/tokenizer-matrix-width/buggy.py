from tensorflow.keras.layers import Dense, Dropout
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.text import Tokenizer
from tensorflow.keras.utils import to_categorical
import numpy as np

max_words = 100
batch_size = 4
texts = ["oil prices rise", "wheat exports fall", "bank cuts interest rates", "oil output falls"] * 4
topics = np.array([0, 1, 2, 0] * 4)

tokenizer = Tokenizer(num_words=max_words)
tokenizer.fit_on_texts(texts)
x_train = tokenizer.texts_to_matrix(texts, mode="binary")
y_train = to_categorical(topics, 3)

model = Sequential()
model.add(Dense(32, input_shape=(max_words + 1,), activation="relu"))
model.add(Dropout(0.5))
model.add(Dense(3, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=batch_size, epochs=1, verbose=0)
