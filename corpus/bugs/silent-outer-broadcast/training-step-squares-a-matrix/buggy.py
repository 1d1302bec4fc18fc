import numpy as np
import tensorflow as tf

tf.random.set_seed(0)

BATCH_SIZE = 16
EPOCHS = 2
LEARNING_RATE = 0.01


class Net(tf.keras.Model):
    def __init__(self, hidden=32):
        super(Net, self).__init__()
        self.fc1 = tf.keras.layers.Dense(hidden, activation=tf.nn.relu)
        self.fc2 = tf.keras.layers.Dense(hidden, activation=tf.nn.relu)
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        x = self.fc1(x)
        x = self.fc2(x)
        return self.out(x)


def make_data(n=256):
    x = np.random.uniform(-3, 3, size=(n, 2)).astype(np.float32)
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1] ** 2
    return x, y.astype(np.float32)


x_data, y_data = make_data()
dataset = tf.data.Dataset.from_tensor_slices((x_data, y_data))
dataset = dataset.shuffle(256).batch(BATCH_SIZE, drop_remainder=True)

net = Net()
optimizer = tf.keras.optimizers.SGD(LEARNING_RATE)


def train_step(x, y):
    with tf.GradientTape() as tape:
        y_pred = net(x)
        loss = tf.reduce_mean(tf.square(y - y_pred))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


for epoch in range(EPOCHS):
    losses = []
    for step, (x, y) in enumerate(dataset):
        loss = train_step(x, y)
        losses.append(float(loss))
    print("epoch", epoch, "loss", sum(losses) / len(losses))
