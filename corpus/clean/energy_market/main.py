"""Prices of energy: methods of several objects that are traced, each with its own variables, with Python options."""
import tensorflow as tf


class Bidder(tf.Module):
    def __init__(self, plant, greedy):
        super().__init__(name=plant)
        self.greedy = greedy
        self.margin = tf.Variable(1.0)
        self.sold = tf.Variable(0.0)

    @tf.function
    def offer(self, cost):
        price = cost * self.margin
        if self.greedy:
            price = price * 1.1
        return price

    @tf.function
    def settle(self, price, offered, amount):
        if offered <= price:
            self.sold.assign_add(amount)
            self.margin.assign(self.margin * 1.02)
            profit = (price - offered) * amount
        else:
            self.margin.assign(self.margin * 0.97)
            profit = tf.zeros_like(amount)
        return profit


def clear(offers, demand):
    """The highest offer that is needed, in eager code on values."""
    ranked = sorted(offers, key=float)
    return ranked[min(int(demand), len(ranked)) - 1]


def main():
    bidders = {name: Bidder(name, greedy) for name, greedy in (("wind", False), ("gas", True), ("coal", True))}
    costs = {"wind": 10.0, "gas": 40.0, "coal": 35.0}
    history = []
    for hour in range(6):
        demand = tf.constant(1.0 + hour % 3)
        offers = {name: bidder.offer(tf.constant(costs[name])) for name, bidder in bidders.items()}
        price = clear(list(offers.values()), demand)
        profits = {name: bidder.settle(price, offers[name], tf.constant(5.0)) for name, bidder in bidders.items()}
        history.append((float(price), round(sum(float(profit) for profit in profits.values()), 1)))
    print(history)
    print({name: (float(bidder.sold), round(float(bidder.margin), 2)) for name, bidder in bidders.items()})


main()
