"""An index of words: look-up tables and regular expressions in a pipeline, filters, `group_by_window`, `reduce`."""
import tensorflow as tf

WORDS = ["graph", "grape", "tensor", "tenor", "sense", "loop", "look", "lop", "trace", "track"]


def make_table(letters):
    keys = tf.constant(list(letters))
    values = tf.range(1, len(letters) + 1, dtype=tf.int64)
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), default_value=0)


TABLE = make_table("abcdefghijklmnopqrstuvwxyz")


def encode(word):
    letters = tf.strings.unicode_split(tf.strings.lower(word), "UTF-8")
    return word, TABLE.lookup(letters)


def long_enough(word, codes):
    if tf.size(codes) < 4:
        return False
    return tf.strings.regex_full_match(word, "[a-z]+")


def first_letter(word, codes):
    return codes[0]


def gather(key, words):
    return words.map(lambda word, codes: codes).padded_batch(4, padded_shapes=[6])


def count(totals, codes):
    return totals + tf.math.bincount(tf.cast(tf.reshape(codes, [-1]), tf.int32), minlength=27, maxlength=27)


def main():
    words = tf.data.Dataset.from_tensor_slices(WORDS).map(encode).filter(long_enough)
    groups = words.group_by_window(key_func=first_letter, reduce_func=gather, window_size=4)
    for batch in groups:
        print(batch.shape, batch.numpy()[0])
    totals = words.map(lambda word, codes: codes).reduce(tf.zeros([27], tf.int32), count)
    print("letters", int(tf.reduce_sum(totals[1:])), "most frequent", int(tf.argmax(totals)))


main()
