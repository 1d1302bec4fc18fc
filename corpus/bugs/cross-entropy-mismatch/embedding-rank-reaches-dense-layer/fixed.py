import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
np.random.seed(1)

WORDS = 40          # tokens per headline
VOCABULARY = 500
TOPICS = 7

params = {
    "hidden": tf.Variable(tf.random_uniform([32, 24], -0.1, 0.1)),
    "out": tf.Variable(tf.random_uniform([24, TOPICS], -0.1, 0.1)),
}
offsets = {
    "hidden": tf.Variable(tf.zeros([24])),
    "out": tf.Variable(tf.zeros([TOPICS])),
}


def topic_scores(tokens, kernels, biases):
    with tf.device("/cpu:0"), tf.name_scope("lookup"):
        table = tf.Variable(tf.random_uniform([VOCABULARY, 32], -1.0, 1.0), name="table")
        vectors = tf.nn.embedding_lookup(table, tokens)
        vectors = tf.reduce_mean(vectors, axis=1)
    hidden = tf.nn.sigmoid(tf.matmul(vectors, kernels["hidden"]) + biases["hidden"])
    return tf.matmul(hidden, kernels["out"]) + biases["out"]


tokens = tf.placeholder(tf.int32, [None, WORDS])
topics = tf.placeholder(tf.float32, [None, TOPICS])

scores = topic_scores(tokens, params, offsets)
errors = tf.nn.sigmoid_cross_entropy_with_logits(labels=topics, logits=scores)
loss = tf.reduce_mean(errors)
step = tf.train.GradientDescentOptimizer(0.3).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    batch = np.random.randint(0, VOCABULARY, [5, WORDS])
    marks = np.random.randint(0, 2, [5, TOPICS])
    print(sess.run([loss, step], feed_dict={tokens: batch, topics: marks})[0])
