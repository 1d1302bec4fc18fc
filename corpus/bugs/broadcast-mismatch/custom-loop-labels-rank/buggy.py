import numpy as np
import tensorflow as tf

CLASSES = 6


class MLP(tf.Module):
    def __init__(self, sizes, name=None):
        super().__init__(name=name)
        self.params = []
        for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
            w = tf.Variable(tf.random.normal([fan_in, fan_out], stddev=0.1))
            b = tf.Variable(tf.zeros([fan_out]))
            self.params.append((w, b))

    def __call__(self, x):
        for w, b in self.params[:-1]:
            x = tf.nn.relu(x @ w + b)
        w, b = self.params[-1]
        return x @ w + b


def accuracy(logits, labels):
    predicted = tf.argmax(logits, axis=1, output_type=tf.int32)
    correct = tf.equal(predicted, labels)
    return tf.reduce_mean(tf.cast(correct, tf.float32))


rng = np.random.default_rng(0)
x = rng.normal(size=(64, 10)).astype("float32")
y = tf.one_hot(rng.integers(0, CLASSES, 64), CLASSES, dtype=tf.int32)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = MLP([10, 32, CLASSES])
optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(2):
    for bx, by in dataset:
        with tf.GradientTape() as tape:
            logits = model(bx)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(tf.cast(by, tf.float32), logits))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        acc = accuracy(logits, by)
    print(float(acc))
