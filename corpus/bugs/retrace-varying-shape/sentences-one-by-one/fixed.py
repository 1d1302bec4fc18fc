import tensorflow as tf
from tensorflow import keras

sentences = [
    "the cat sat",
    "a very long sentence about nothing at all",
    "short one",
    "where are you going tonight",
    "to be or not to be that is the question",
    "hello",
    "it rains in the north today again",
]
vocabulary = sorted({word for sentence in sentences for word in sentence.split()})
index = {word: number for number, word in enumerate(vocabulary, 1)}
embedding = keras.layers.Embedding(len(index) + 1, 12)
lstm = keras.layers.LSTM(10)
embedding.build((None, None))
lstm.build((None, None, 12))


@tf.function(input_signature=[tf.TensorSpec([1, None], tf.int32)])
def encode(tokens):
    return lstm(embedding(tokens))


vectors = []
for sentence in sentences:
    tokens = tf.constant([[index[word] for word in sentence.split()]])
    vectors.append(encode(tokens))
print(tf.concat(vectors, axis=0).shape)
