import tensorflow as tf

VOCABULARY = 30
tokens = tf.random.uniform([4, 11], maxval=VOCABULARY, dtype=tf.int32)
embed = tf.keras.layers.Embedding(VOCABULARY, 6)
project = tf.keras.layers.Dense(VOCABULARY)
logits = project(embed(tokens[:, :-1]))
labels = tf.cast(tokens[:, 1:, tf.newaxis], tf.float32)
losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
print(losses.shape)
