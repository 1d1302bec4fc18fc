import keras
import tensorflow as tf

VOCABULARY = "abcdefgh "
model = keras.Sequential(
    [keras.Input((None,)), keras.layers.Embedding(len(VOCABULARY), 8), keras.layers.GRU(16), keras.layers.Dense(len(VOCABULARY))]
)


@tf.function(input_signature=None)
def next_token(window, temperature=1.0):
    logits = model(window) / temperature
    return tf.random.categorical(logits, 1)


def generate(length, temperature):
    window = tf.zeros([1, 6], tf.int64)
    text = ""
    for _ in range(length):
        token = next_token(window, temperature=temperature)
        text += VOCABULARY[int(token[0, 0])]
        window = tf.concat([window[:, 1:], token], axis=1)
    return text


for temperature in [0.2, 0.5, 0.7, 1.0, 1.2, 1.5]:
    print(temperature, repr(generate(10, temperature)))
