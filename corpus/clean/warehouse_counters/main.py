"""Stock keeping with state: variables are made once, behind a test, and a counter lives in the graph."""
import tensorflow as tf


class Stock(tf.Module):
    def __init__(self, articles, name=None):
        super().__init__(name)
        self.articles = articles
        self.amounts = None
        self.bookings = tf.Variable(0, dtype=tf.int64, trainable=False)

    @tf.function(
        input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([None], tf.float32)]
    )
    def book(self, article, amount):
        if self.amounts is None:
            self.amounts = tf.Variable(tf.zeros([self.articles]), trainable=False)
        change = tf.math.unsorted_segment_sum(amount, article, self.articles)
        allowed = tf.where(self.amounts + change < 0.0, tf.zeros_like(change), change)
        self.amounts.assign_add(allowed)
        self.bookings.assign_add(tf.shape(article, out_type=tf.int64)[0])
        return tf.reduce_sum(self.amounts)


def main():
    stock = Stock(6)
    for day in range(5):
        count = 2 + day
        articles = tf.range(count, dtype=tf.int32)
        total = stock.book(articles, tf.fill([count], 3.0 - day))
        print(f"day {day}: {float(total):.1f} pieces after {int(stock.bookings)} bookings")
    print(stock.amounts.numpy().round(1))


main()
