import numpy as np


class PointDataset(object):
    def __init__(self, config):
        self.input_window = config.get("input_window", 12)
        self.output_window = config.get("output_window", 12)
        self.train_rate = config.get("train_rate", 0.7)

    def _load(self):
        return np.random.rand(100, 8, 2)

    def _generate_input_data(self, df):
        num_samples = df.shape[0]
        x_offsets = np.sort(np.concatenate((np.arange(-self.input_window + 1, 1, 1),)))
        y_offsets = np.sort(np.arange(1, self.output_window + 1, 1))
        pairs = []
        min_t = abs(min(x_offsets))
        max_t = abs(num_samples - abs(max(y_offsets)))
        for t in range(min_t, max_t):
            x_t = df[t + x_offsets, ...]
            y_t = df[t + y_offsets, ...]
            pairs.append((x_t, y_t))
        data = np.array(pairs)
        return data[:, 0], data[:, 1]

    def get_data(self):
        x, y = self._generate_input_data(self._load())
        num_train = round(x.shape[0] * self.train_rate)
        return (x[:num_train], y[:num_train]), (x[num_train:], y[num_train:])


if __name__ == "__main__":
    config = {"input_window": 12, "output_window": 3}
    (x_train, y_train), (x_test, y_test) = PointDataset(config).get_data()
    print(x_train.shape, y_train.shape, x_test.shape)
