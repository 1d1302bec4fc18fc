import tensorflow as tf

weights = tf.Variable(tf.random.normal([64, 2], seed=1))


@tf.function
def score(texts):
    buckets = tf.strings.to_hash_bucket_fast(texts, 64)
    return tf.nn.softmax(tf.gather(weights, buckets))


print(score(tf.constant(["spam", "ham", "eggs"])).shape)
