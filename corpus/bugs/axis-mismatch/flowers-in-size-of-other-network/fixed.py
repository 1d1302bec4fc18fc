import numpy as np
import tensorflow as tf

image_width = 56
image_height = 56
image_depth = 3
num_labels = 17
batch_size = 4

# filter depths and sizes of the network
FILTER = 3
DEPTH1, DEPTH2, DEPTH3 = 4, 8, 16
FLAT_SIDE = 56 // 8
NUM_HIDDEN = 32


def flowers(count):
    rng = np.random.RandomState(17)
    data = rng.rand(count, image_width, image_height, image_depth).astype(np.float32)
    labels = np.eye(num_labels, dtype=np.float32)[rng.randint(num_labels, size=count)]
    return data, labels


def variables():
    def weight(shape):
        return tf.Variable(tf.truncated_normal(shape, stddev=0.1))

    def bias(size):
        return tf.Variable(tf.zeros([size]))

    return {
        "w1": weight([FILTER, FILTER, image_depth, DEPTH1]), "b1": bias(DEPTH1),
        "w2": weight([FILTER, FILTER, DEPTH1, DEPTH2]), "b2": bias(DEPTH2),
        "w3": weight([FILTER, FILTER, DEPTH2, DEPTH3]), "b3": bias(DEPTH3),
        "w4": weight([FLAT_SIDE * FLAT_SIDE * DEPTH3, NUM_HIDDEN]), "b4": bias(NUM_HIDDEN),
        "w5": weight([NUM_HIDDEN, num_labels]), "b5": bias(num_labels),
    }


def model(data, v):
    x = data
    for k in "123":
        conv = tf.nn.conv2d(x, v["w" + k], [1, 1, 1, 1], padding="SAME")
        x = tf.nn.max_pool(tf.nn.relu(conv + v["b" + k]), [1, 2, 2, 1], [1, 2, 2, 1], padding="SAME")
    shape = x.get_shape().as_list()
    flat = tf.reshape(x, [shape[0], shape[1] * shape[2] * shape[3]])
    hidden = tf.nn.relu(tf.matmul(flat, v["w4"]) + v["b4"])
    return tf.matmul(hidden, v["w5"]) + v["b5"]


graph = tf.Graph()
with graph.as_default():
    train_data = tf.placeholder(tf.float32, [batch_size, image_width, image_height, image_depth])
    train_labels = tf.placeholder(tf.float32, [batch_size, num_labels])
    weights = variables()
    logits = model(train_data, weights)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=train_labels, logits=logits))
    optimizer = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

data, labels = flowers(12)
with tf.Session(graph=graph) as session:
    session.run(tf.global_variables_initializer())
    for step in range(3):
        part = slice(step * batch_size, (step + 1) * batch_size)
        _, value = session.run([optimizer, loss], {train_data: data[part], train_labels: labels[part]})
        print("step", step, "loss", value)
