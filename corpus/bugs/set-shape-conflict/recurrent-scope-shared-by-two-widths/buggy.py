import abc
import argparse

import numpy as np
import tensorflow as tf


def attention_softmax3d(values):
    original_shape = tf.shape(values)
    num_units = original_shape[2]
    reshaped = tf.reshape(values, tf.stack([-1, num_units]))
    softmaxed = tf.nn.softmax(reshaped)
    return tf.reshape(softmaxed, original_shape)


class DecomposableNLIModel(object):
    __metaclass__ = abc.ABCMeta

    def __init__(self, num_units, num_classes, vocab_size, embedding_size):
        self.num_units = num_units
        self.num_classes = num_classes
        self.embedding_size = embedding_size
        self.sentence1 = tf.placeholder(tf.int32, (None, 12), "sentence1")
        self.sentence2 = tf.placeholder(tf.int32, (None, 15), "sentence2")
        self.label = tf.placeholder(tf.int32, (None,), "label")
        embeddings = tf.get_variable("embeddings", [vocab_size, embedding_size])
        embedded1 = tf.nn.embedding_lookup(embeddings, self.sentence1)
        embedded2 = tf.nn.embedding_lookup(embeddings, self.sentence2)
        repr1 = self._transformation_input(embedded1)
        repr2 = self._transformation_input(embedded2, True)
        self.alpha, self.beta = self.attend(repr1, repr2)
        self.v1 = self.compare(repr1, self.beta)
        self.v2 = self.compare(repr2, self.alpha, True)
        self.logits = self.aggregate(self.v1, self.v2)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=self.logits, labels=self.label)
        self.loss = tf.reduce_mean(losses)

    @abc.abstractmethod
    def _transformation_input(self, inputs, reuse_weights=False):
        pass

    @abc.abstractmethod
    def _transformation_compare(self, inputs, reuse_weights=False):
        pass

    def attend(self, sent1, sent2):
        with tf.variable_scope("inter-attention"):
            repr2 = tf.transpose(sent2, [0, 2, 1])
            raw_attentions = tf.matmul(sent1, repr2)
            att_sent1 = attention_softmax3d(raw_attentions)
            alpha = tf.matmul(tf.transpose(att_sent1, [0, 2, 1]), sent1)
            att_transposed = tf.transpose(raw_attentions, [0, 2, 1])
            att_sent2 = attention_softmax3d(att_transposed)
            beta = tf.matmul(tf.transpose(att_sent2, [0, 2, 1]), sent2)
            return alpha, beta

    def compare(self, sentence, soft_alignment, reuse_weights=False):
        inputs = tf.concat([sentence, soft_alignment, sentence - soft_alignment], 2)
        return self._transformation_compare(inputs, reuse_weights)

    def aggregate(self, v1, v2):
        v1_sum = tf.reduce_sum(v1, [1])
        v2_sum = tf.reduce_sum(v2, [1])
        return tf.layers.dense(tf.concat([v1_sum, v2_sum], 1), self.num_classes)


class LSTMClassifier(DecomposableNLIModel):
    def __init__(self, *args, **kwars):
        self.lstm_scopes = {}
        super(LSTMClassifier, self).__init__(*args, **kwars)

    def _transformation_input(self, inputs, reuse_weights=False):
        return self._apply_lstm(inputs, "lstm", reuse_weights)

    def _transformation_compare(self, inputs, reuse_weights=False):
        return self._apply_lstm(inputs, "lstm", True)

    def _apply_lstm(self, inputs, name, reuse_weights):
        scope_name = self.lstm_scopes.setdefault(name, name)
        with tf.variable_scope(scope_name, reuse=reuse_weights) as lstm_scope:
            cell_fw = tf.nn.rnn_cell.LSTMCell(self.num_units)
            cell_bw = tf.nn.rnn_cell.LSTMCell(self.num_units)
            outputs, _ = tf.nn.bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, dtype=tf.float32, scope=lstm_scope)
            return tf.concat(outputs, 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-u", dest="num_units", type=int, default=10)
    parser.add_argument("-b", dest="batch_size", type=int, default=4)
    parser.add_argument("--classes", type=int, default=3)
    args = parser.parse_args()

    model = LSTMClassifier(args.num_units, args.classes, 50, 8)
    train_op = tf.train.AdamOptimizer().minimize(model.loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        feeds = {
            model.sentence1: np.random.randint(0, 50, (args.batch_size, 12)),
            model.sentence2: np.random.randint(0, 50, (args.batch_size, 15)),
            model.label: np.random.randint(0, args.classes, args.batch_size),
        }
        _, loss = sess.run([train_op, model.loss], feeds)
        print(i, loss)
