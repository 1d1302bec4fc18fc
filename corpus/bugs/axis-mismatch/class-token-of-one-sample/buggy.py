import tensorflow as tf
from tensorflow.keras import layers


class Patches(layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def call(self, images):
        patches = tf.image.extract_patches(
            images=images,
            sizes=[1, self.size, self.size, 1],
            strides=[1, self.size, self.size, 1],
            rates=[1, 1, 1, 1],
            padding="VALID",
        )
        return tf.reshape(patches, [tf.shape(images)[0], -1, patches.shape[-1]])


class ViT(tf.keras.Model):
    def __init__(self, patch=8, side=32, dim=16, depth=2, classes=10):
        super().__init__()
        self.count = (side // patch) ** 2
        self.patches = Patches(patch)
        self.project = layers.Dense(dim)
        self.token = tf.Variable(tf.zeros([1, 1, dim]), name="token")
        self.position = tf.Variable(tf.random.normal([1, self.count + 1, dim], stddev=0.02), name="position")
        self.attention = [layers.MultiHeadAttention(2, dim // 2) for _ in range(depth)]
        self.mlp = [layers.Dense(dim, activation="gelu") for _ in range(depth)]
        self.head = layers.Dense(classes)

    def call(self, images):
        x = self.project(self.patches(images))
        x = tf.concat([self.token, x], axis=1)
        x = x + self.position
        for attend, mlp in zip(self.attention, self.mlp):
            x = x + attend(x, x)
            x = x + mlp(x)
        return self.head(x[:, 0])


model = ViT()
images = tf.random.uniform([6, 32, 32, 3])
labels = tf.constant([0, 1, 2, 3, 4, 5])
with tf.GradientTape() as tape:
    logits = model(images)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
gradients = tape.gradient(loss, model.trainable_variables)
print(float(loss), len(gradients))
