import tensorflow as tf


def tokenize(text):
    words = text.numpy().decode().lower().split()
    return tf.constant([len(word) / 10 for word in words])


def prepare(text):
    lengths = tf.py_function(tokenize, [text], Tout=tf.int64)
    lengths.set_shape([None])
    return lengths


corpus = tf.data.Dataset.from_tensor_slices(["Call me Ishmael", "It was a dark and stormy night"])
for lengths in corpus.map(prepare):
    print(lengths.shape)
