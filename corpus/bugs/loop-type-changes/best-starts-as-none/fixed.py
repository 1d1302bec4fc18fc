import tensorflow as tf


@tf.function
def best_offer(offers):
    best = tf.constant(-1.0)
    for offer in offers:
        if offer > best:
            best = offer
    return best


offers = tf.data.Dataset.from_tensor_slices([3.0, 8.5, 1.0])
print(best_offer(offers))
