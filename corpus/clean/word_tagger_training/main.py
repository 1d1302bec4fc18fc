"""Tagging words: a custom `train_step`, layers made in `build`, a persistent tape used for two losses."""
import keras
import numpy as np
import tensorflow as tf


class Tagger(keras.Model):
    def __init__(self, words, tags, width=12):
        super().__init__()
        self.words, self.tags, self.width = words, tags, width

    def build(self, shape):
        self.table = keras.layers.Embedding(self.words, self.width)
        self.context = keras.layers.Bidirectional(keras.layers.LSTM(self.width, return_sequences=True))
        self.scores = keras.layers.Dense(self.tags)
        self.table.build(shape)
        self.context.build((*shape, self.width))
        self.scores.build((*shape, 2 * self.width))

    def call(self, sentences, training=None):
        known = self.table(sentences)
        if training:
            known = tf.nn.dropout(known, 0.1)
        return self.scores(self.context(known))

    def train_step(self, data):
        sentences, tags = data
        weight = tf.cast(sentences > 0, tf.float32)
        with tf.GradientTape(persistent=True) as tape:
            scores = self(sentences, training=True)
            each = tf.nn.sparse_softmax_cross_entropy_with_logits(tags, scores)
            loss = tf.reduce_sum(weight * each) / tf.reduce_sum(weight)
            smoothness = tf.reduce_mean(tf.square(self.table.embeddings[1:] - self.table.embeddings[:-1]))
        gradients = tape.gradient(loss, self.trainable_variables)
        of_table = tape.gradient(smoothness, self.table.embeddings)
        del tape
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.table.embeddings.assign_sub(0.001 * of_table)
        return {"loss": loss, "smoothness": smoothness}


def main():
    rng = np.random.default_rng(0)
    sentences = rng.integers(0, 50, (64, 9))
    tags = sentences % 4
    model = Tagger(words=50, tags=4)
    model.compile(optimizer=keras.optimizers.Adam(0.02))
    history = model.fit(sentences, tags, batch_size=16, epochs=2, verbose=0)
    guessed = np.argmax(model.predict(sentences, verbose=0), axis=-1)
    print("loss", history.history["loss"][-1], "right", float((guessed == tags).mean()))


main()
