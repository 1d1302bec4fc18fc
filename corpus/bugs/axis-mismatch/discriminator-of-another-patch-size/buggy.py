import tensorflow as tf

config = {
    "batch_size": 4,
    "lr_patch": 16,
    "scale": 4,
    "d_filters": 8,
    "d_patch": 32,
}


class ConvBlock(object):
    def __init__(self, in_channels, out_channels, stride, name):
        stddev = 0.02
        self.w = tf.Variable(tf.random.normal([3, 3, in_channels, out_channels], stddev=stddev), name=name + "/w")
        self.b = tf.Variable(tf.zeros([out_channels]), name=name + "/b")
        self.stride = stride

    def __call__(self, x):
        x = tf.nn.conv2d(x, self.w, strides=self.stride, padding="SAME") + self.b
        return tf.nn.leaky_relu(x, 0.2)


class Discriminator(object):
    def __init__(self, patch, filters):
        self.blocks = [
            ConvBlock(3, filters, 1, "h0"),
            ConvBlock(filters, filters, 2, "h1"),
            ConvBlock(filters, 2 * filters, 2, "h2"),
            ConvBlock(2 * filters, 4 * filters, 2, "h3"),
        ]
        side = patch // 8
        self.dense = tf.Variable(tf.random.normal([side * side * 4 * filters, 1], stddev=0.02), name="dense/w")
        self.bias = tf.Variable(tf.zeros([1]), name="dense/b")

    def __call__(self, images):
        x = images
        for block in self.blocks:
            x = block(x)
        x = tf.reshape(x, [images.shape[0], -1])
        return tf.matmul(x, self.dense) + self.bias


def train_discriminator(D, real, fake):
    real_logits = D(real)
    fake_logits = D(fake)
    loss_real = tf.nn.sigmoid_cross_entropy_with_logits(tf.ones_like(real_logits), real_logits)
    loss_fake = tf.nn.sigmoid_cross_entropy_with_logits(tf.zeros_like(fake_logits), fake_logits)
    return tf.reduce_mean(loss_real) + tf.reduce_mean(loss_fake)


hr_patch = config["lr_patch"] * config["scale"]
D = Discriminator(config["d_patch"], config["d_filters"])
for step in range(2):
    lr = tf.random.uniform([config["batch_size"], config["lr_patch"], config["lr_patch"], 3])
    hr = tf.random.uniform([config["batch_size"], hr_patch, hr_patch, 3])
    fake = tf.image.resize(lr, [hr_patch, hr_patch], method="bicubic")
    print(step, float(train_discriminator(D, hr, fake)))
