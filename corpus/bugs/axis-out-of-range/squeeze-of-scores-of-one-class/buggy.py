import numpy as np


class Detector:
    def __init__(self, class_names, input_size=64, prob_threshold=0.35, iou_threshold=0.3):
        self.classes = class_names
        self.num_classes = len(class_names)
        self.strides = (8, 16, 32)
        self.input_size = input_size
        self.prob_threshold = prob_threshold
        self.iou_threshold = iou_threshold
        self.anchors = np.concatenate([self.make_anchors(s) for s in self.strides])

    def make_anchors(self, stride):
        cells = self.input_size // stride
        xs, ys = np.meshgrid(np.arange(cells), np.arange(cells))
        centers = np.stack([xs.ravel(), ys.ravel()], axis=1) + 0.5
        return centers * stride

    def forward(self, image):
        """Stands for the network: scores (1, anchors, classes) and distances (1, anchors, 4)."""
        rng = np.random.RandomState(int(image.sum()) % 1000)
        count = len(self.anchors)
        return rng.rand(1, count, self.num_classes), rng.rand(1, count, 4) * 16

    def detect(self, image):
        scores, distances = self.forward(image)
        scores = scores.squeeze()
        distances = distances.squeeze(axis=0)
        boxes = np.hstack([self.anchors - distances[:, :2], self.anchors + distances[:, 2:]])
        confidence = scores.max(axis=1)
        class_ids = scores.argmax(axis=1)
        keep = confidence > self.prob_threshold
        return boxes[keep], confidence[keep], class_ids[keep]

    def draw(self, boxes, confidence, class_ids):
        for (x1, y1, x2, y2), score, class_id in zip(boxes, confidence, class_ids):
            print("%s %.2f at %d %d %d %d" % (self.classes[class_id], score, x1, y1, x2, y2))


if __name__ == "__main__":
    detector = Detector(["plate"])
    image = np.random.RandomState(2).rand(64, 64, 3)
    detector.draw(*detector.detect(image))
