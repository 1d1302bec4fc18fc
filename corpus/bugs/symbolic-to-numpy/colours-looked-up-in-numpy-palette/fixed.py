import numpy as np
import tensorflow as tf

PALETTE = np.array([[0, 0, 0], [220, 20, 60], [70, 130, 180], [107, 142, 35]], dtype=np.uint8)


def colourise(logits):
    mask = tf.argmax(logits, axis=-1)
    return tf.gather(PALETTE, mask)


render = tf.function(colourise)
prediction = tf.random.normal([2, 6, 6, 4])
picture = render(prediction)
print(picture.shape, picture.dtype.name)
