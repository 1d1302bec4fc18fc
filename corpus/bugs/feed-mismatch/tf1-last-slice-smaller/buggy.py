import numpy as np
import tensorflow as tf

BATCH = 32


class Reader:
    def __init__(self, count, width):
        rng = np.random.RandomState(count)
        self.x = rng.rand(count, width).astype("float32")
        self.y = (self.x.sum(axis=1) > width / 2).astype("int64")

    def batches(self, size):
        for start in range(0, len(self.x), size):
            yield self.x[start:start + size], self.y[start:start + size]


reader = Reader(100, 6)
inputs = tf.placeholder(tf.float32, [BATCH, 6])
targets = tf.placeholder(tf.int64, [BATCH])
weights = tf.get_variable("weights", [6, 2])
logits = tf.matmul(inputs, weights)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
train = tf.train.AdagradOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(2):
        for bx, by in reader.batches(BATCH):
            _, value = sess.run([train, loss], {inputs: bx, targets: by})
    print(value)
