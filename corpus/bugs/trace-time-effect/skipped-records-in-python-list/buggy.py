import tensorflow as tf

short = []


def check(line):
    words = tf.strings.split(line)
    if tf.size(words) < 3:
        short.append(line)
    return tf.size(words)


lines = ["a b c d", "a b", "one two three", "x"]
sizes = [int(n) for n in tf.data.Dataset.from_tensor_slices(lines).map(check)]
print(sizes, len(short), "short lines")
