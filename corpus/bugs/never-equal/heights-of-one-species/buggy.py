import numpy as np

rng = np.random.default_rng(8)


class Survey:
    """Heights of trees with the species of each tree."""

    def __init__(self):
        self.heights, self.species = [], []

    def add(self, height, species):
        self.heights.append(height)
        self.species.append(species)

    def mean_height(self, species):
        heights = np.array(self.heights)
        return heights[self.species == species].mean()


survey = Survey()
for number in range(30):
    survey.add(rng.normal(20.0, 3.0), number % 3)
print([survey.mean_height(species) for species in range(3)])
