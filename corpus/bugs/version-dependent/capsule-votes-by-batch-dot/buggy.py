import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import initializers, layers, models


def squash(vectors, axis=-1):
    norm = tf.reduce_sum(tf.square(vectors), axis, keepdims=True)
    return norm / (1 + norm) / tf.sqrt(norm + K.epsilon()) * vectors


class Length(layers.Layer):
    def call(self, inputs):
        return tf.sqrt(tf.reduce_sum(tf.square(inputs), -1) + K.epsilon())


class DigitCapsules(layers.Layer):
    """Capsules that agree by routing; input (batch, capsules, size), output (batch, num, dim)."""

    def __init__(self, num, dim, routings=3, **kwargs):
        super().__init__(**kwargs)
        self.num, self.dim, self.routings = num, dim, routings

    def build(self, input_shape):
        self.input_num, self.input_dim = input_shape[1], input_shape[2]
        self.W = self.add_weight(
            shape=[self.num, self.input_num, self.dim, self.input_dim],
            initializer=initializers.GlorotUniform(),
            name="W",
        )

    def call(self, inputs):
        expanded = tf.expand_dims(tf.expand_dims(inputs, 1), -1)
        tiled = tf.tile(expanded, [1, self.num, 1, 1, 1])
        votes = tf.squeeze(tf.map_fn(lambda x: tf.matmul(self.W, x), tiled), -1)
        logits = tf.zeros([tf.shape(inputs)[0], self.num, self.input_num])
        for i in range(self.routings):
            agreement = tf.nn.softmax(logits, axis=1)
            outputs = squash(K.batch_dot(agreement, votes, axes=[2, 3]))
            if i < self.routings - 1:
                logits += tf.einsum("bnd,bnkd->bnk", outputs, votes)
        return outputs


image = layers.Input(shape=(28, 28, 1))
conv1 = layers.Conv2D(16, 9, activation="relu")(image)
primary = layers.Conv2D(16, 9, strides=2)(conv1)
primary = layers.Reshape((-1, 8))(primary)
primary = layers.Lambda(squash)(primary)
digits = DigitCapsules(num=10, dim=16)(primary)
model = models.Model(image, Length()(digits))
model.compile("adam", "mse")
model.summary()
print(model.predict(tf.zeros((2, 28, 28, 1)), verbose=0).shape)
