import tensorflow as tf

BATCH_SIZE = 8
FRAMES = 6
HEIGHT = WIDTH = 20
PATCH = 5


def read_clips(count=30):
    clips = tf.random.stateless_uniform([count, FRAMES, HEIGHT, WIDTH, 3], seed=[1, 2])
    labels = tf.range(count) % 4
    return tf.data.Dataset.from_tensor_slices((clips, labels))


def frames_in_front(clips, labels):
    """All frames of a batch become its rows, so that one network of pictures reads them."""
    frames = tf.reshape(clips, [-1, HEIGHT, WIDTH, 3])
    return frames, labels


def to_patches(frames, labels):
    patches = tf.image.extract_patches(
        frames, [1, PATCH, PATCH, 1], [1, PATCH, PATCH, 1], [1, 1, 1, 1], "VALID"
    )
    return patches, labels


def pipeline():
    ds = read_clips()
    ds = ds.shuffle(30, seed=0)
    ds = ds.batch(BATCH_SIZE)
    ds = ds.map(frames_in_front, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(to_patches)
    return ds.prefetch(1)


for step, (patches, labels) in enumerate(pipeline()):
    flat = tf.reshape(patches, [tf.shape(patches)[0], -1])
    mean = tf.reduce_mean(flat, axis=1)
    print(step, mean.shape, labels.shape)
