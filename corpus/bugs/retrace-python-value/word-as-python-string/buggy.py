import tensorflow as tf

TABLE = tf.random.normal([26, 4])


@tf.function
def embed(word):
    codes = tf.io.decode_raw(word, tf.uint8)
    return tf.reduce_mean(tf.gather(TABLE, tf.cast(codes, tf.int32) - 97), axis=0)


words = ["rain", "snow", "hail", "sleet", "mist", "fog", "storm", "drizzle"]
vectors = []
for word in words:
    vectors.append(embed(word))
print(tf.stack(vectors).shape)
