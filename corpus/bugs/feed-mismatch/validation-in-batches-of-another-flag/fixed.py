from collections import namedtuple

import numpy as np
import tensorflow as tf


class Batcher(object):
    def __init__(self, count, max_sents, max_words, vocab):
        self.docs = np.random.randint(1, vocab, (count, max_sents, max_words))
        self.lens = np.random.randint(2, max_words, (count, max_sents))
        self.targets = np.random.randint(0, 2, (count, max_sents)).astype(np.float32)
        self.max_words = max_words

    def pad_mask(self, lens):
        mask = np.zeros((lens.shape[0], lens.shape[1], self.max_words), dtype=np.float32)
        for i in range(lens.shape[0]):
            for j in range(lens.shape[1]):
                mask[i, j, : lens[i, j]] = 1.0
        return mask

    def batches(self, batch_size):
        for start in range(0, len(self.docs) - batch_size + 1, batch_size):
            stop = start + batch_size
            yield self.docs[start:stop], self.pad_mask(self.lens[start:stop]), self.targets[start:stop]


class Summarizer(object):
    def __init__(self, hps, train_data, val_data):
        self._hps = hps
        self._train_data = train_data
        self._val_data = val_data
        self._add_placeholders()
        self._build()
        self._sess = tf.Session()
        self._sess.run(tf.global_variables_initializer())

    def _add_placeholders(self):
        hps = self._hps
        self._enc_in = tf.placeholder(tf.int32, [None, hps.max_sents, hps.max_words], name="enc_in")
        self._enc_pad_mask = tf.placeholder(tf.float32, [None, hps.max_sents, hps.max_words], name="enc_pad_mask")
        self._targets = tf.placeholder(tf.float32, [None, hps.max_sents], name="targets")

    def _build(self):
        hps = self._hps
        with tf.variable_scope("embedding"):
            embedding = tf.get_variable("embedding", [hps.vocab_size, hps.emb_dim])
            words = tf.nn.embedding_lookup(embedding, self._enc_in)
        with tf.variable_scope("sentences"):
            weighted = words * tf.expand_dims(self._enc_pad_mask, 3)
            sents = tf.reduce_sum(weighted, 2)
        with tf.variable_scope("document"):
            cell = tf.nn.rnn_cell.GRUCell(hps.hidden)
            outputs, _ = tf.nn.dynamic_rnn(cell, sents, dtype=tf.float32)
            scores = tf.squeeze(tf.layers.dense(outputs, 1), [2])
        self._loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=scores, labels=self._targets))
        self._train_op = tf.train.AdamOptimizer(hps.lr).minimize(self._loss)

    def _feed(self, batch):
        docs, mask, targets = batch
        return {self._enc_in: docs, self._enc_pad_mask: mask, self._targets: targets}

    def train(self):
        for epoch in range(self._hps.epochs):
            for batch in self._train_data.batches(self._hps.batch_size):
                _, loss = self._sess.run([self._train_op, self._loss], feed_dict=self._feed(batch))
            print("epoch", epoch, "loss", loss, "validation", self._validate())

    def _validate(self):
        total, count = 0.0, 0
        for batch in self._val_data.batches(self._hps.val_batch_size):
            total += self._sess.run(self._loss, feed_dict=self._feed(batch))
            count += 1
        return total / count


FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer("batch_size", 8, "")
tf.app.flags.DEFINE_integer("val_batch_size", 20, "")
tf.app.flags.DEFINE_integer("max_sents", 6, "")
tf.app.flags.DEFINE_integer("max_words", 10, "")
tf.app.flags.DEFINE_integer("vocab_size", 100, "")
tf.app.flags.DEFINE_integer("emb_dim", 12, "")
tf.app.flags.DEFINE_integer("hidden", 16, "")
tf.app.flags.DEFINE_integer("epochs", 1, "")
tf.app.flags.DEFINE_float("lr", 0.001, "")


def main(unused_argv):
    names = [
        "batch_size",
        "val_batch_size",
        "max_sents",
        "max_words",
        "vocab_size",
        "emb_dim",
        "hidden",
        "epochs",
        "lr",
    ]
    hps_dict = {}
    for name in names:
        hps_dict[name] = getattr(FLAGS, name)
    hps = namedtuple("HParams", hps_dict.keys())(**hps_dict)
    train_data = Batcher(40, hps.max_sents, hps.max_words, hps.vocab_size)
    val_data = Batcher(40, hps.max_sents, hps.max_words, hps.vocab_size)
    Summarizer(hps, train_data, val_data).train()


if __name__ == "__main__":
    tf.app.run()
