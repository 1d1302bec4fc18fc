import tensorflow as tf

writer = tf.summary.create_file_writer("logs")


@tf.function
def evaluate(batch, label, tag, step):
    score = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(batch, 1), label), tf.float32))
    with writer.as_default():
        tf.summary.scalar(tag, score, step=step)
    return score


batches = tf.data.Dataset.from_tensor_slices(
    (tf.random.normal([36, 4], seed=1), tf.random.uniform([36], maxval=4, dtype=tf.int64, seed=2))
).batch(6)
total = 0.0
for number, (scores, labels) in enumerate(batches):
    total += evaluate(scores, labels, "accuracy/batch", tf.constant(number, tf.int64))
print("mean accuracy", float(total) / 6)
