"""Melodies note by note: the carried state of a cell in a loop of the graph, random numbers of TensorFlow, `tf.print`."""
import tensorflow as tf

NOTES, UNITS = 12, 20


class Melody(tf.Module):
    def __init__(self):
        super().__init__()
        cell = tf.keras.layers.GRUCell(UNITS)
        cell.build((None, NOTES))
        self.cell = cell
        self.out = tf.Variable(tf.random.stateless_normal([UNITS, NOTES], [5, 6]))

    @tf.function
    def compose(self, first, length, temperature=1.0, verbose=False):
        rows = tf.shape(first)[0]
        state = tf.zeros([rows, UNITS])
        note = first
        line = tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False)
        line = line.write(0, note)
        for at in tf.range(1, length):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(note, tf.TensorShape([None])), (state, tf.TensorShape([None, UNITS]))]
            )
            output, states = self.cell(tf.one_hot(note, NOTES), [state])
            state = states[0]
            scores = output @ self.out / temperature
            note = tf.random.categorical(scores, 1, dtype=tf.int32)[:, 0]
            line = line.write(at, note)
            if verbose and at % 8 == 0:
                tf.print("notes so far:", line.size())
        return tf.transpose(line.stack())


def main():
    tf.random.set_seed(11)
    melody = Melody()
    for rows in (1, 3):
        notes = melody.compose(tf.zeros([rows], tf.int32), tf.constant(16), verbose=rows == 1)
        print(notes.shape, notes.numpy()[0])


main()
