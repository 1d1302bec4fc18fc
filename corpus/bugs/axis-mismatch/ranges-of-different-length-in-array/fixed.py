import numpy as np

COLORS = {
    "face": 0,
    "arms": 1,
    "body": 2,
}
KEYPOINTS = [5, 6, 7, 7, 9]


def starts(lengths):
    """Where each part begins when all are laid one after another."""
    return np.concatenate([[0], np.cumsum(lengths)[:-1]])


def part_indices(lengths):
    first = starts(lengths)
    return [np.arange(n) + s for n, s in zip(lengths, first)]


def make_body(count, seed=0):
    rng = np.random.RandomState(seed)
    return rng.uniform(0, 256, size=(count, 2))


def bounding_boxes(points, groups):
    boxes = []
    for group in groups:
        part = points[group]
        low, high = part.min(axis=0), part.max(axis=0)
        boxes.append(np.concatenate([low, high]))
    return np.array(boxes)


points = make_body(sum(KEYPOINTS))
groups = part_indices(KEYPOINTS)
boxes = bounding_boxes(points, groups)
sizes = boxes[:, 2:] - boxes[:, :2]
for (x1, y1, x2, y2), (w, h) in zip(boxes, sizes):
    print("box at %.0f %.0f, %.0f by %.0f" % (x1, y1, w, h))
print("largest part", sizes.prod(axis=1).argmax())
