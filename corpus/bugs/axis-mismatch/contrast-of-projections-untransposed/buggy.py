import tensorflow as tf
from tensorflow.keras import Model, Sequential, layers

BATCH = 32
IMG = 48
PROJ = 64


def augment(x):
    x = tf.image.random_flip_left_right(x)
    x = tf.image.random_crop(x, (tf.shape(x)[0], 40, 40, 3))
    return tf.image.resize(x, (IMG, IMG))


def get_encoder():
    return Sequential([
        layers.Input((IMG, IMG, 3)),
        layers.Conv2D(32, 3, strides=2, activation='relu'),
        layers.Conv2D(64, 3, strides=2, activation='relu'),
        layers.GlobalAveragePooling2D(),
    ])


class SimCLR(Model):
    def __init__(self, temperature=0.1):
        super().__init__()
        self.encoder = get_encoder()
        self.head = Sequential([layers.Dense(128, activation='relu'), layers.Dense(PROJ)])
        self.t = temperature

    def nt_xent(self, z1, z2):
        z1 = tf.math.l2_normalize(z1, axis=1)
        z2 = tf.math.l2_normalize(z2, axis=1)
        sim = tf.matmul(z1, z2) / self.t
        labels = tf.range(tf.shape(z1)[0])
        l1 = tf.keras.losses.sparse_categorical_crossentropy(labels, sim, from_logits=True)
        l2 = tf.keras.losses.sparse_categorical_crossentropy(labels, tf.transpose(sim), from_logits=True)
        return tf.reduce_mean(l1 + l2) / 2

    def train_step(self, images):
        a, b = augment(images), augment(images)
        with tf.GradientTape() as tape:
            za = self.head(self.encoder(a, training=True), training=True)
            zb = self.head(self.encoder(b, training=True), training=True)
            loss = self.nt_xent(za, zb)
        variables = self.encoder.trainable_variables + self.head.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {'loss': loss}


ds = tf.data.Dataset.from_tensor_slices(tf.random.uniform((128, IMG, IMG, 3))).batch(BATCH, drop_remainder=True)
model = SimCLR()
model.compile(optimizer='adam')
model.fit(ds, epochs=1)
