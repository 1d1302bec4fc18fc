import numpy as np
from keras.layers import LSTM, Dense, Input
from keras.models import Model

LETTERS, STATE, LONGEST = 38, 24, 6
START, END = 1, 2

source = Input((None, LETTERS))
_, hidden, cell = LSTM(STATE, return_state=True)(source)
encoder = Model(source, [hidden, cell])

written = Input((None, LETTERS))
first_hidden, first_cell = Input((STATE,)), Input((STATE,))
recurrent = LSTM(STATE, return_sequences=True, return_state=True)
sequence, hidden, cell = recurrent(written, initial_state=[first_hidden, first_cell])
scores = Dense(LETTERS, activation="softmax")(sequence)
decoder = Model([written, first_hidden, first_cell], [scores, hidden, cell])


def letter(number):
    given = np.zeros((1, 1))
    given[0, 0] = number
    return given


def translate(text):
    states = encoder.predict(text, verbose=0)
    found, following = [], START
    while following != END and len(found) < LONGEST:
        scores, hidden, cell = decoder.predict([letter(following), *states], verbose=0)
        following = int(scores[0, -1].argmax())
        found.append(following)
        states = [hidden, cell]
    return found


texts = np.zeros((3, 5, LETTERS), "float32")
print(translate(texts[:1]))
