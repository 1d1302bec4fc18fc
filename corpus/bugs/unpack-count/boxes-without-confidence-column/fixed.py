import numpy as np


def make_boxes(count, seed=0):
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 400, size=(count, 2))
    size = rng.uniform(10, 80, size=(count, 2))
    confidence = rng.random((count, 1))
    return np.hstack([corner, corner + size, confidence])


def overlap(box, boxes):
    x1 = np.maximum(box[0], boxes[:, 0])
    y1 = np.maximum(box[1], boxes[:, 1])
    x2 = np.minimum(box[2], boxes[:, 2])
    y2 = np.minimum(box[3], boxes[:, 3])
    inside = np.maximum(0, x2 - x1) * np.maximum(0, y2 - y1)
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    own = (box[2] - box[0]) * (box[3] - box[1])
    return inside / (area + own - inside)


def suppress(detections, threshold=0.4):
    """The boxes that are not hidden by better ones."""
    order = detections[:, 4].argsort()[::-1]
    kept = []
    while len(order):
        best, rest = order[0], order[1:]
        kept.append(best)
        order = rest[overlap(detections[best], detections[rest]) < threshold]
    return detections[kept]


def draw(canvas, boxes):
    x1, y1, x2, y2, score = boxes.T
    for a, b, c, d, s in zip(x1, y1, x2, y2, score):
        canvas[int(b):int(d), int(a):int(c)] = np.maximum(canvas[int(b):int(d), int(a):int(c)], s)
    return canvas


detections = make_boxes(30)
canvas = np.zeros((480, 480))
canvas = draw(canvas, make_boxes(8))
kept = suppress(detections)
print("kept", len(kept), "covered", (canvas > 0).mean())
