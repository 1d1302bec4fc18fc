"""Attention over any length: Python decisions on static shapes, dynamic sizes where they are unknown, masks by choice."""
import tensorflow as tf


def sizes(tensor):
    """The static size of each axis where it is known, otherwise a tensor."""
    dynamic = tf.shape(tensor)
    return [dynamic[axis] if size is None else size for axis, size in enumerate(tensor.shape)]


def heads(tensor, count):
    rows, length, width = sizes(tensor)
    if width % count:
        raise ValueError(f"{width} columns cannot be divided among {count} heads")
    return tf.transpose(tf.reshape(tensor, [rows, length, count, width // count]), [0, 2, 1, 3])


def merged(tensor):
    rows, count, length, width = sizes(tensor)
    return tf.reshape(tf.transpose(tensor, [0, 2, 1, 3]), [rows, length, count * width])


@tf.function(input_signature=[tf.TensorSpec([None, None, 12]), tf.TensorSpec([None], tf.int32)])
def attend(tokens, lengths):
    query = key = heads(tokens, 3)
    scores = tf.matmul(query, key, transpose_b=True) / tokens.shape[-1] ** 0.5
    mask = tf.sequence_mask(lengths, maxlen=tf.shape(tokens)[1])
    scores += tf.where(mask[:, tf.newaxis, tf.newaxis, :], 0.0, -1e9)
    result = merged(tf.nn.softmax(scores) @ key)
    if result.shape.rank == 3 and result.shape[-1] is not None:
        result = tf.ensure_shape(result, [None, None, 12])
    return result, [axis for axis, size in enumerate(result.shape) if size is None]


def main():
    for rows, length in ((2, 5), (3, 7), (1, 4)):
        tokens = tf.random.stateless_normal([rows, length, 12], [rows, length])
        result, _ = attend(tokens, tf.fill([rows], length - 1))
        print(result.shape, float(tf.reduce_mean(result)))
    print(attend.get_concrete_function().structured_outputs[0].shape)


main()
