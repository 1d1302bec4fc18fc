import tensorflow as tf

CONFIG = {"d_model": 32, "heads": 4, "key_width": 8, "steps": 10, "batch": 3}


class Attention(tf.Module):
    def __init__(self, d_model, heads, key_width, name=None):
        super().__init__(name=name)
        initial = tf.keras.initializers.GlorotUniform(seed=1)
        self.heads = heads
        self.scale = key_width ** -0.5
        self.wq = tf.Variable(initial([d_model, heads, key_width]))
        self.wk = tf.Variable(initial([d_model, heads, key_width]))
        self.wv = tf.Variable(initial([d_model, heads, key_width]))
        self.wo = tf.Variable(initial([heads, key_width, d_model]))

    def __call__(self, x, mask=None):
        q = tf.einsum("btd,dhk->bhtk", x, self.wq)
        k = tf.einsum("btd,dhk->bhtk", x, self.wk)
        v = tf.einsum("btd,dhk->bhtk", x, self.wv)
        scores = tf.einsum("bhqk,bhsk->bhqs", q, k) * self.scale
        if mask is not None:
            scores = tf.where(mask, scores, -1e9)
        weights = tf.nn.softmax(scores, axis=-1)
        mixed = tf.einsum("bhqs,bhsk->bhqk", weights, v)
        return tf.einsum("bhqk,hkd->bqd", mixed, self.wo)


def causal_mask(steps):
    return tf.cast(tf.linalg.band_part(tf.ones([steps, steps]), -1, 0), tf.bool)


layer = Attention(CONFIG["d_model"], CONFIG["heads"], CONFIG["key_width"])
x = tf.random.normal([CONFIG["batch"], CONFIG["steps"], CONFIG["d_model"]])
y = layer(x, causal_mask(CONFIG["steps"]))
print(y.shape, float(tf.reduce_mean(y)))
