import tensorflow as tf

PRICES = {0: 1.5, 1: 2.25, 2: 4.0}
PRICE_LIST = tf.constant([1.5, 2.25, 4.0])


def with_price(kind, amount):
    return PRICES[kind] * amount


kinds = tf.constant([0, 2, 1, 1])
amounts = tf.constant([3.0, 1.0, 2.0, 5.0])
orders = tf.data.Dataset.from_tensor_slices((kinds, amounts)).map(with_price)
print([float(order) for order in orders])
