import tensorflow as tf

CONFIG = {
    "inputs": 20,
    "hidden": [64, 48],
    "classes": 5,
    "batch": 16,
}


class Perceptron(tf.Module):
    def __init__(self, config, name=None):
        super().__init__(name=name)
        first, second = config["hidden"]
        self.w1 = tf.Variable(tf.random.normal([config["inputs"], first], stddev=0.1))
        self.b1 = tf.Variable(tf.zeros([first]))
        self.w2 = tf.Variable(tf.random.normal([first, second], stddev=0.1))
        self.b2 = tf.Variable(tf.zeros([second]))
        self.out = tf.Variable(tf.random.normal([second, config["classes"]]))

    def __call__(self, x):
        x = tf.nn.relu(tf.matmul(x, self.w1) + self.b1)
        x = tf.nn.relu(tf.matmul(x, self.w2) + self.b2)
        return tf.matmul(x, self.out)


def main():
    net = Perceptron(CONFIG)
    batch = tf.random.normal([CONFIG["batch"], CONFIG["inputs"]])
    for _ in range(2):
        scores = net(batch)
        print(tf.argmax(scores, axis=1).numpy())


if __name__ == "__main__":
    main()
