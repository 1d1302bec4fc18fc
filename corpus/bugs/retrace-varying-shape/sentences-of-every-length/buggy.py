import tensorflow as tf

embedding = tf.Variable(tf.random.normal([50, 8]))


@tf.function
def encode(tokens):
    return tf.reduce_max(tf.gather(embedding, tokens), axis=0)


sentences = [[1, 4], [3, 9, 2], [7, 7, 7, 1], [5, 6, 1, 2, 3], [9, 8, 7, 6, 5, 4], [1] * 7, [2] * 8]
codes = []
for sentence in sentences:
    codes.append(encode(tf.constant(sentence, tf.int32)))
print(tf.stack(codes).shape)
