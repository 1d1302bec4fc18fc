import numpy as np


class NeuralNetwork:
    """Predicts the rentals of bicycles; one hidden layer, one output."""

    def __init__(self, input_nodes, hidden_nodes, output_nodes, learning_rate):
        rng = np.random.RandomState(21)
        self.weights_input_to_hidden = rng.normal(0.0, input_nodes ** -0.5, (input_nodes, hidden_nodes))
        self.weights_hidden_to_output = rng.normal(0.0, hidden_nodes ** -0.5, (hidden_nodes, output_nodes))
        self.lr = learning_rate
        self.activation_function = lambda x: 1 / (1 + np.exp(-x))

    def train(self, features, targets):
        n_records = features.shape[0]
        delta_weights_i_h = np.zeros(self.weights_input_to_hidden.shape)
        delta_weights_h_o = np.zeros(self.weights_hidden_to_output.shape)
        for X, y in zip(features, targets):
            final_outputs, hidden_outputs = self.forward(X)
            error = y - final_outputs
            hidden_error = np.dot(self.weights_hidden_to_output, error)
            hidden_term = hidden_error * hidden_outputs * (1 - hidden_outputs)
            delta_weights_i_h += hidden_term * X[:, None]
            delta_weights_h_o += error * hidden_outputs[:, None]
        self.weights_hidden_to_output += self.lr * delta_weights_h_o / n_records
        self.weights_input_to_hidden += self.lr * delta_weights_i_h / n_records

    def forward(self, X):
        hidden_outputs = self.activation_function(np.dot(X, self.weights_input_to_hidden))
        return np.dot(hidden_outputs, self.weights_hidden_to_output), hidden_outputs

    def run(self, features):
        return self.forward(features)[0]


rng = np.random.RandomState(0)
features = rng.rand(60, 3)
targets = features.dot(np.array([[0.3], [0.2], [-0.1]]))

network = NeuralNetwork(3, 2, 1, 0.5)
for ii in range(20):
    batch = rng.choice(len(features), size=16)
    network.train(features[batch], targets[batch])
    train_loss = np.mean((network.run(features) - targets) ** 2)
print("training loss: %.4f" % train_loss)
