import tensorflow as tf

INDEX = {"good": 1, "bad": 2, "movie": 3, "plot": 4}
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(list(INDEX.keys()), list(INDEX.values())), default_value=0
)


def to_id(word):
    return table.lookup(word)


words = tf.data.Dataset.from_tensor_slices(["good", "plot", "terrible", "movie"])
ids = words.map(to_id).batch(4)
print(next(iter(ids)).numpy())
