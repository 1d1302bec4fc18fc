import numpy as np
import tensorflow as tf


class Config(object):
    batch_size = 6
    embed_size = 8
    hidden_size = 8
    max_epochs = 2
    lr = 0.001
    num_hops = 3
    vocab = 30
    max_facts = 5


class DMN_PLUS(object):
    def __init__(self, config):
        self.config = config
        self.add_placeholders()
        self.embeddings = tf.get_variable("embedding", [config.vocab, config.embed_size])
        self.output = self.inference()
        self.loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(logits=self.output, labels=self.answer_placeholder)
        )
        self.train_step = tf.train.AdamOptimizer(config.lr).minimize(self.loss)

    def add_placeholders(self):
        c = self.config
        self.question_placeholder = tf.placeholder(tf.int32, shape=(c.batch_size, 4))
        self.input_placeholder = tf.placeholder(tf.int32, shape=(c.batch_size, c.max_facts))
        self.answer_placeholder = tf.placeholder(tf.int64, shape=(c.batch_size,))

    def get_question_representation(self):
        questions = tf.nn.embedding_lookup(self.embeddings, self.question_placeholder)
        gru_cell = tf.nn.rnn_cell.GRUCell(self.config.hidden_size)
        _, q_vec = tf.nn.dynamic_rnn(gru_cell, questions, dtype=np.float32)
        return q_vec

    def get_attention(self, q_vec, prev_memory, fact_vec, reuse):
        with tf.variable_scope("attention", reuse=reuse):
            features = [
                fact_vec * q_vec,
                fact_vec * prev_memory,
                tf.abs(fact_vec - q_vec),
                tf.abs(fact_vec - prev_memory),
            ]
            feature_vec = tf.concat(features, 1)
            attention = tf.layers.dense(feature_vec, self.config.embed_size, activation=tf.nn.tanh, reuse=reuse)
            attention = tf.layers.dense(attention, 1, activation=None, reuse=reuse)
        return attention

    def generate_episode(self, memory, q_vec, fact_vecs, hop_index):
        attentions = [
            tf.squeeze(self.get_attention(q_vec, memory, fv, bool(hop_index) or bool(i)), axis=1)
            for i, fv in enumerate(tf.unstack(fact_vecs, axis=1))
        ]
        attentions = tf.transpose(tf.stack(attentions))
        attentions = tf.nn.softmax(attentions)
        attentions = tf.expand_dims(attentions, axis=-1)
        return tf.reduce_sum(fact_vecs * attentions, 1)

    def inference(self):
        q_vec = self.get_question_representation()
        fact_vecs = tf.nn.embedding_lookup(self.embeddings, self.input_placeholder)
        with tf.variable_scope("memory", initializer=tf.glorot_uniform_initializer()):
            prev_memory = q_vec
            for i in range(self.config.num_hops):
                episode = self.generate_episode(prev_memory, q_vec, fact_vecs, i)
                with tf.variable_scope("hop_%d" % i):
                    prev_memory = tf.layers.dense(
                        tf.concat([prev_memory, episode, q_vec], 1), self.config.hidden_size, activation=tf.nn.relu
                    )
        return tf.layers.dense(tf.concat([prev_memory, q_vec], 1), self.config.vocab)


config = Config()
with tf.variable_scope("DMN"):
    model = DMN_PLUS(config)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(config.max_epochs):
        feed = {
            model.question_placeholder: np.random.randint(0, 30, (6, 4)),
            model.input_placeholder: np.random.randint(0, 30, (6, 5)),
            model.answer_placeholder: np.random.randint(0, 30, 6),
        }
        loss, _ = session.run([model.loss, model.train_step], feed_dict=feed)
        print(epoch, loss)
