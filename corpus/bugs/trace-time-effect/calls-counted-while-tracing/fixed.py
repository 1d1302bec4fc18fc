import tensorflow as tf


class EmbeddingTable(tf.Module):
    def __init__(self, rows, width):
        super().__init__()
        self.table = tf.Variable(tf.random.normal([rows, width]))
        self.lookups = tf.Variable(0)

    @tf.function
    def lookup(self, ids):
        self.lookups.assign_add(1)
        return tf.gather(self.table, ids)


table = EmbeddingTable(20, 4)
for start in range(4):
    table.lookup(tf.range(start, start + 3))
print("lookups:", int(table.lookups))
