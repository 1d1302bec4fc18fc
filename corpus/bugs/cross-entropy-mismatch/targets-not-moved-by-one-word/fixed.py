import tensorflow as tf
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    loss = loss_object(real, pred)
    mask = tf.cast(mask, loss.dtype)
    return tf.reduce_mean(loss * mask)
vocab, units = 500, 64
embedding = tf.keras.layers.Embedding(vocab, units)
gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)
fc = tf.keras.layers.Dense(vocab)
target = tf.random.uniform((16, 12), 0, vocab, tf.int64)
seq, state = gru(embedding(target[:, :-1]))
logits = fc(seq)
print(loss_function(target[:, 1:], logits))
