import tensorflow as tf

short = []


def check(line):
    words = tf.strings.split(line)
    return line, tf.size(words)


lines = ["a b c d", "a b", "one two three", "x"]
sizes = []
for line, count in tf.data.Dataset.from_tensor_slices(lines).map(check):
    sizes.append(int(count))
    if count < 3:
        short.append(line)
print(sizes, len(short), "short lines")
