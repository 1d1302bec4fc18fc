"""Exercises with arrays, to be read from top to bottom."""
import numpy as np

# 1. a vector
arr = np.array([1, 2, 3, 4, 5, 6])
print(arr, arr.shape, arr.size)

# 2. the same numbers as a table
table = arr.reshape((2, 3))
print(table)
print("sums of rows   ", table.sum(axis=1))
print("sums of columns", table.sum(axis=0))

# 3. rows and columns change places
turned = table.T
print(turned.shape, turned[0], turned[-1])

# 4. one size may be left open
tall = arr.reshape(-1, 2)
print(tall.shape)


# 5. a square
def as_square(values, side):
    return values.reshape((side, side))


square = as_square(arr[:4], 2)
print("trace", np.trace(square))
print("determinant", np.linalg.det(square))

# 6. back to a vector, and joined with another
flat = square.ravel()
both = np.concatenate([flat, np.zeros(2)])
print(both.reshape(3, 2))
