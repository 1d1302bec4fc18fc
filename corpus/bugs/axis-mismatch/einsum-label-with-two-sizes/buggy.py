"""Contract user preferences with item features and a context tensor."""
import numpy as np


def scores(users, core, items):
    """Tucker-style scoring: users (u, r), core (r, s), items (i, s)."""
    return np.einsum("ur,rs,is->ui", users, core, items)


rng = np.random.default_rng(0)
n_users, n_items = 50, 30
rank_u, rank_i = 6, 9

users = rng.normal(size=(n_users, rank_u))
items = rng.normal(size=(n_items, rank_i))
core = rng.normal(size=(rank_i, rank_u))

table = scores(users, core, items)
best = table.argmax(axis=1)
print("top items:", best[:10], table.shape)
