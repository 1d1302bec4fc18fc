import tensorflow as tf

INDEX = {"good": 1, "bad": 2, "movie": 3, "plot": 4}


def to_id(word):
    return INDEX.get(word, 0)


words = tf.data.Dataset.from_tensor_slices(["good", "plot", "terrible", "movie"])
ids = words.map(to_id).batch(4)
print(next(iter(ids)).numpy())
