import tensorflow as tf
from tensorflow import keras

VOCAB, WIDTH = 20, 16
tokens = keras.Input((None,), dtype="int32")
x = keras.layers.Embedding(VOCAB, WIDTH)(tokens)
x = keras.layers.MultiHeadAttention(2, 8)(x, x, use_causal_mask=True)
model = keras.Model(tokens, keras.layers.Dense(VOCAB)(x))


@tf.function(reduce_retracing=True)
def decode(prefix):
    logits = model(prefix, training=False)
    return tf.argmax(logits[:, -1], axis=-1, output_type=tf.int32)


prefix = tf.ones([3, 1], tf.int32)
for _ in range(10):
    following = decode(prefix)
    prefix = tf.concat([prefix, following[:, None]], axis=1)
print(prefix.numpy())
