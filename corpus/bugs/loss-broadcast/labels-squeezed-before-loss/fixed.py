import numpy as np
import tensorflow as tf

SEQ = 12
VOCAB = 50
BATCH = 10

rng = np.random.RandomState(0)
texts = rng.randint(1, VOCAB, size=(60, SEQ))
toxic = (texts.sum(axis=1) % 2).astype("float32").reshape(-1, 1)


def batches(x, y, size):
    order = rng.permutation(len(x))
    for start in range(0, len(x) - size + 1, size):
        rows = order[start:start + size]
        yield x[rows], y[rows]


inputs = tf.keras.Input(shape=(SEQ,))
h = tf.keras.layers.Embedding(VOCAB, 8)(inputs)
h = tf.keras.layers.GlobalAveragePooling1D()(h)
h = tf.keras.layers.Dense(8, activation="relu")(h)
outputs = tf.keras.layers.Dense(1, activation="sigmoid")(h)
model = tf.keras.Model(inputs, outputs)

optimizer = tf.keras.optimizers.Adam(0.01)
criterion = tf.keras.losses.MeanSquaredError()
running = tf.keras.metrics.Mean()

for epoch in range(2):
    running.reset_state()
    for x, y in batches(texts, toxic, BATCH):
        with tf.GradientTape() as tape:
            p = model(x, training=True)
            loss = criterion(y, p)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        running.update_state(loss)
    print("epoch", epoch, "loss", float(running.result()))

scores = model.predict(texts, verbose=0)
correct = (scores > 0.5).astype("float32") == toxic
print("accuracy", correct.mean())
