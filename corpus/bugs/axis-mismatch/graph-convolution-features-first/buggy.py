import numpy as np
import tensorflow as tf


def ring(nodes):
    adjacency = np.zeros((nodes, nodes), dtype="float32")
    for i in range(nodes):
        adjacency[i, (i + 1) % nodes] = adjacency[(i + 1) % nodes, i] = 1.0
    return adjacency


def normalise(adjacency):
    with_self = adjacency + np.eye(len(adjacency), dtype="float32")
    degree = with_self.sum(axis=1)
    root = np.diag(1.0 / np.sqrt(degree))
    return tf.constant(root @ with_self @ root, dtype=tf.float32)


class GraphConvolution(tf.Module):
    def __init__(self, inputs, outputs, activation=tf.nn.relu):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([inputs, outputs], stddev=0.3))
        self.activation = activation

    def __call__(self, adjacency, x):
        return self.activation(tf.matmul(adjacency, tf.matmul(x, self.w)))


class GCN(tf.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.layers = [
            GraphConvolution(features, hidden),
            GraphConvolution(hidden, classes, activation=tf.identity),
        ]

    def __call__(self, adjacency, x):
        for layer in self.layers:
            x = layer(adjacency, x)
        return x


train_graph, test_graph = normalise(ring(20)), normalise(ring(14))
train_x, test_x = tf.random.normal([20, 6]), tf.random.normal([14, 6])
labels = tf.constant(np.arange(20) % 3)
model = GCN(6, 8, 3)
optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(3):
    with tf.GradientTape() as tape:
        logits = model(train_graph, train_x)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
print(tf.argmax(model(train_graph, test_x), axis=1).numpy())
