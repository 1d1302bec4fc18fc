"""Trees of words: recursion over Python structures while a function is traced, dictionaries and lists that it fills."""
import tensorflow as tf

TREES = [("not", ("very", "good")), (("the", "film"), ("was", "bad")), (("the", "end"), "good")]
WORDS = sorted({"not", "very", "good", "the", "film", "was", "bad", "end"})
WIDTH = 6


class Composer(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.stateless_normal([len(WORDS), WIDTH], [1, 1]))
        self.join = tf.Variable(tf.random.stateless_normal([2 * WIDTH, WIDTH], [2, 2]) * 0.3)
        self.score = tf.Variable(tf.zeros([WIDTH, 1]))

    def vector(self, tree, found):
        if isinstance(tree, str):
            made = self.table[WORDS.index(tree)]
        else:
            parts = [self.vector(part, found) for part in tree]
            made = tf.tanh(tf.linalg.matvec(self.join, tf.concat(parts, axis=0), transpose_a=True))
        found.append(made)
        return made

    @tf.function
    def losses(self, labels):
        every = {}
        for number, tree in enumerate(TREES):
            found = []
            top = self.vector(tree, found)
            every[f"tree {number}"] = (top, len(found))
        scores = tf.stack([tf.tensordot(top, self.score[:, 0], 1) for top, _ in every.values()])
        nodes = sum(count for _, count in every.values())
        while nodes > 10:
            nodes -= 1
        return tf.nn.sigmoid_cross_entropy_with_logits(labels, scores) * (nodes / 10)


def main():
    composer = Composer()
    labels = tf.constant([0.0, 0.0, 1.0])
    for _ in range(40):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(composer.losses(labels))
        for variable, slope in zip(composer.trainable_variables, tape.gradient(loss, composer.trainable_variables)):
            variable.assign_sub(0.2 * tf.convert_to_tensor(slope))
    print(float(loss), composer.losses(labels).shape)


main()
