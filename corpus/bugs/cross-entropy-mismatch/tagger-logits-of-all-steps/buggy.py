import numpy as np
import tensorflow as tf

BATCH, STEPS, VOCAB, TAGS, HIDDEN = 8, 12, 40, 5, 16

tokens = tf.placeholder(tf.int32, [BATCH, STEPS], name="tokens")
tags = tf.placeholder(tf.int32, [BATCH, STEPS], name="tags")


def cell(x, h, reuse):
    with tf.variable_scope("cell", reuse=reuse):
        w = tf.get_variable("w", [x.shape[1] + h.shape[1], HIDDEN])
        b = tf.get_variable("b", [HIDDEN], initializer=tf.zeros_initializer())
        return tf.tanh(tf.matmul(tf.concat([x, h], 1), w) + b)


with tf.variable_scope("embedding"):
    table = tf.get_variable("table", [VOCAB, HIDDEN])
    embedded = tf.nn.embedding_lookup(table, tokens)

state = tf.zeros([BATCH, HIDDEN])
outputs = []
for t in range(STEPS):
    state = cell(embedded[:, t], state, reuse=t > 0)
    outputs.append(state)
outputs = tf.stack(outputs, axis=1)

with tf.variable_scope("projection"):
    w = tf.get_variable("w", [HIDDEN, TAGS])
    b = tf.get_variable("b", [TAGS], initializer=tf.zeros_initializer())
    flat = tf.reshape(outputs, [-1, HIDDEN])
    logits = tf.matmul(flat, w) + b

losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tags, logits=logits)
loss = tf.reduce_mean(losses)
optimizer = tf.train.AdamOptimizer(0.01)
gradients, variables = zip(*optimizer.compute_gradients(loss))
gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
train_op = optimizer.apply_gradients(zip(gradients, variables))

rng = np.random.RandomState(0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        words = rng.randint(VOCAB, size=(BATCH, STEPS))
        _, value = sess.run([train_op, loss], {tokens: words, tags: words % TAGS})
        print(step, value)
