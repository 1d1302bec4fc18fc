import numpy as np
import tensorflow as tf
from tensorflow import keras

NUM_LABELS = 14


class MacroF1(keras.metrics.Metric):
    def __init__(self, num_labels, name='macro_f1', **kwargs):
        super().__init__(name=name, **kwargs)
        self.num_labels = num_labels
        self.tp = self.add_weight(name='tp', shape=(), initializer='zeros')
        self.fp = self.add_weight(name='fp', shape=(), initializer='zeros')
        self.fn = self.add_weight(name='fn', shape=(), initializer='zeros')

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true = tf.cast(y_true, tf.float32)
        y_pred = tf.cast(y_pred > 0.5, tf.float32)
        self.tp.assign_add(tf.reduce_sum(y_true * y_pred, axis=0))
        self.fp.assign_add(tf.reduce_sum((1 - y_true) * y_pred, axis=0))
        self.fn.assign_add(tf.reduce_sum(y_true * (1 - y_pred), axis=0))

    def result(self):
        p = self.tp / (self.tp + self.fp + 1e-7)
        r = self.tp / (self.tp + self.fn + 1e-7)
        return tf.reduce_mean(2 * p * r / (p + r + 1e-7))

    def reset_state(self):
        for v in (self.tp, self.fp, self.fn):
            v.assign(tf.zeros_like(v))


inputs = keras.Input((100,))
h = keras.layers.Dense(64, activation='relu')(inputs)
outputs = keras.layers.Dense(NUM_LABELS, activation='sigmoid')(h)
model = keras.Model(inputs, outputs)
model.compile('adam', 'binary_crossentropy', metrics=[MacroF1(NUM_LABELS)])
X = np.random.rand(64, 100).astype('float32')
Y = (np.random.rand(64, NUM_LABELS) > 0.8).astype('float32')
model.fit(X, Y, epochs=1, batch_size=16)
