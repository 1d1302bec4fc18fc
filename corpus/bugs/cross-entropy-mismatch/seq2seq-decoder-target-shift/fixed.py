import keras
import numpy as np

num_tokens, latent_dim = 12, 16
max_len = 9
rng = np.random.default_rng(0)
pairs = rng.integers(1, num_tokens, size=(40, max_len))


def one_hot(sequences, width):
    result = np.zeros((sequences.shape[0], sequences.shape[1], width), dtype="float32")
    for i, sequence in enumerate(sequences):
        for t, token in enumerate(sequence):
            result[i, t, token] = 1.0
    return result


encoder_data = one_hot(pairs, num_tokens)
decoder_data = one_hot(pairs, num_tokens)
targets = np.concatenate([decoder_data[:, 1:], np.zeros((40, 1, num_tokens))], axis=1)

encoder_inputs = keras.Input(shape=(None, num_tokens))
_, state_h, state_c = keras.layers.LSTM(latent_dim, return_state=True)(encoder_inputs)
decoder_inputs = keras.Input(shape=(None, num_tokens))
decoder_lstm = keras.layers.LSTM(latent_dim, return_sequences=True, return_state=True)
decoder_outputs, _, _ = decoder_lstm(decoder_inputs, initial_state=[state_h, state_c])
decoder_outputs = keras.layers.Dense(num_tokens, activation="softmax")(decoder_outputs)
model = keras.Model([encoder_inputs, decoder_inputs], decoder_outputs)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy")
model.fit([encoder_data, decoder_data], targets, batch_size=8, epochs=1, verbose=0)
