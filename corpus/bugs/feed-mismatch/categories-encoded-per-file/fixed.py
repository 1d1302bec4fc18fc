import numpy as np
import tensorflow as tf

TRAIN_PROTOCOLS = ["tcp", "udp", "icmp"] * 10
TEST_PROTOCOLS = ["tcp", "udp"] * 8
ATTACKS = ["normal", "dos", "probe"]


def one_hot(values, names):
    """A column for each name."""
    table = np.zeros((len(values), len(names)))
    for row, value in enumerate(values):
        table[row, names.index(value)] = 1
    return table


def connections(protocols, names, seed):
    """Duration, bytes sent, bytes received, and the protocol."""
    rng = np.random.RandomState(seed)
    numbers = rng.gamma(2.0, size=(len(protocols), 3))
    labels = one_hot([ATTACKS[k] for k in rng.randint(3, size=len(protocols))], ATTACKS)
    return np.hstack([numbers, one_hot(protocols, names)]), labels


train_x, train_y = connections(TRAIN_PROTOCOLS, ["icmp", "tcp", "udp"], 0)
test_x, test_y = connections(TEST_PROTOCOLS, ["icmp", "tcp", "udp"], 1)

# network
X = tf.placeholder(tf.float32, shape=[None, 6])
Y_ = tf.placeholder(tf.float32, shape=[None, 3])
W1 = tf.Variable(tf.truncated_normal([6, 16], stddev=0.1))
B1 = tf.Variable(tf.ones([16]) / 10)
W2 = tf.Variable(tf.truncated_normal([16, 3], stddev=0.1))
B2 = tf.Variable(tf.zeros([3]))
Y1 = tf.nn.relu(tf.matmul(X, W1) + B1)
Ylogits = tf.matmul(Y1, W2) + B2
cross_entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=Ylogits, labels=Y_))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(Ylogits, 1), tf.argmax(Y_, 1)), tf.float32))
train_step = tf.train.AdamOptimizer(0.003).minimize(cross_entropy)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(5):
    sess.run(train_step, feed_dict={X: train_x, Y_: train_y})
a, c = sess.run([accuracy, cross_entropy], feed_dict={X: test_x, Y_: test_y})
print("test accuracy", a, "loss", c)
