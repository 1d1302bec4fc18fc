import numpy as np
import tensorflow as tf

clean = tf.sin(tf.linspace(0.0, 6.28, 64))


@tf.function
def corrupt(signal, level):
    noise = np.random.normal(0.0, 1.0, size=signal.shape).astype("float32")
    return signal + level * noise


levels = set()
for _ in range(5):
    noisy = corrupt(clean, tf.constant(0.1))
    levels.add(round(float(tf.reduce_sum(noisy)), 4))
print(len(levels), "different noises")
