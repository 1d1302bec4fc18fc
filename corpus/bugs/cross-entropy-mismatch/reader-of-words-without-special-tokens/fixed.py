import tensorflow as tf

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
SPECIAL = ["<pad>", "<start>", "<end>"]
CHARS = SPECIAL + list(ALPHABET)
UNITS = 16
BATCH = 4
MAX_CHAR = 6


class Encoder(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(8, 3, strides=(4, 2), padding="same", activation="relu")
        self.fc = tf.keras.layers.Dense(units)

    def call(self, image):
        x = self.conv(image)
        x = tf.reshape(x, [tf.shape(x)[0], -1, x.shape[-1]])
        return tf.nn.relu(self.fc(x))


class Decoder(tf.keras.Model):
    def __init__(self, vocab_size, units):
        super().__init__()
        self.gru = tf.keras.layers.GRUCell(units)
        self.score = tf.keras.layers.Dense(1)
        self.query = tf.keras.layers.Dense(units)
        self.out = tf.keras.layers.Dense(vocab_size)

    def call(self, char, features, state):
        weights = tf.nn.softmax(self.score(tf.nn.tanh(features + self.query(state)[:, None])), axis=1)
        context = tf.reduce_sum(weights * features, axis=1)
        output, states = self.gru(tf.concat([char, context], axis=-1), [state])
        return self.out(output), states[0]


encoder = Encoder(UNITS)
decoder = Decoder(len(CHARS), UNITS)
loss_object = tf.keras.losses.CategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)


def loss_function(real, pred):
    return tf.reduce_mean(loss_object(real, pred))


def train_step(images, targets):
    loss = 0.0
    state = tf.zeros([BATCH, UNITS])
    with tf.GradientTape() as tape:
        features = encoder(images)
        for i in range(1, MAX_CHAR):
            y_pred, state = decoder(targets[:, i - 1, :], features, state)
            loss += loss_function(targets[:, i, :], y_pred)
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss / MAX_CHAR


for step in range(2):
    images = tf.random.uniform([BATCH, 16, 48, 1])
    words = tf.random.uniform([BATCH, MAX_CHAR], maxval=len(CHARS), dtype=tf.int32)
    print(step, float(train_step(images, tf.one_hot(words, len(CHARS)))))
