import tensorflow as tf

HEIGHT, WIDTH = 24, 24
feature_description = {
    "image": tf.io.FixedLenFeature([HEIGHT * WIDTH], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def write(path, count):
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(count):
            pixels = tf.train.Feature(float_list=tf.train.FloatList(value=[0.5] * HEIGHT * WIDTH))
            label = tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 3]))
            example = tf.train.Example(features=tf.train.Features(feature={"image": pixels, "label": label}))
            writer.write(example.SerializeToString())


def parse(record):
    example = tf.io.parse_single_example(record, feature_description)
    image = tf.reshape(example["image"], [HEIGHT, WIDTH, 1])
    return image, example["label"]


write("train.tfrecord", 12)
dataset = tf.data.TFRecordDataset("train.tfrecord").map(parse).batch(4)
for images, labels in dataset:
    print(images.shape, labels.numpy())
