import tensorflow as tf

keys = tf.constant([101, 205, 307], tf.int64)
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, tf.constant([1, 2, 3], tf.int64)), 0)
embedding = tf.Variable(tf.random.normal([4, 5]))


@tf.function(jit_compile=True)
def embed(product_ids):
    rows = table.lookup(product_ids)
    return tf.nn.l2_normalize(tf.gather(embedding, rows), axis=-1)


print(embed(tf.constant([205, 101, 999], tf.int64)).shape)
