import tensorflow as tf


class MultiHead(tf.Module):
    """Attention whose heads have keys of size d_k and values of size d_v."""

    def __init__(self, n_head, d_model, d_k, d_v, name=None):
        super().__init__(name=name)
        self.n_head, self.d_k, self.d_v = n_head, d_k, d_v
        self.w_q = self._weight(d_model, n_head * d_k)
        self.w_k = self._weight(d_model, n_head * d_k)
        self.w_v = self._weight(d_model, n_head * d_v)
        self.w_o = self._weight(n_head * d_v, d_model)

    def _weight(self, rows, columns):
        return tf.Variable(tf.random.normal([rows, columns], stddev=0.05))

    def split_heads(self, x, size):
        batch, steps, _ = x.shape
        x = tf.reshape(x, [batch, steps, self.n_head, size])
        return tf.transpose(x, [0, 2, 1, 3])

    def __call__(self, q, k, v, mask=None):
        batch, steps, _ = q.shape
        q = self.split_heads(tf.einsum("btd,dh->bth", q, self.w_q), self.d_k)
        k = self.split_heads(tf.einsum("btd,dh->bth", k, self.w_k), self.d_k)
        v = self.split_heads(tf.einsum("btd,dh->bth", v, self.w_v), self.d_v)
        scores = tf.matmul(q, k, transpose_b=True) / self.d_k ** 0.5
        if mask is not None:
            scores += (1.0 - mask) * -1e9
        heads = tf.matmul(tf.nn.softmax(scores), v)
        heads = tf.reshape(tf.transpose(heads, [0, 2, 1, 3]), [batch, steps, -1])
        return tf.einsum("bth,hd->btd", heads, self.w_o)


x = tf.random.normal([3, 7, 24])
causal = tf.linalg.band_part(tf.ones([7, 7]), -1, 0)
same = MultiHead(2, 24, 12, 12)
print(same(x, x, x, causal).shape)
small_keys = MultiHead(2, 24, 4, 12)
print(small_keys(x, x, x, causal).shape)
