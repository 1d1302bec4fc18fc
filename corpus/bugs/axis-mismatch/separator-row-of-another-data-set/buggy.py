import numpy as np

ACOUSTIC_DIM = 81
VISUAL_DIM = 371
TEXT_MAX = 20


class Clip:
    def __init__(self, words, visual, acoustic, sentiment):
        self.words = words
        self.visual = visual
        self.acoustic = acoustic
        self.sentiment = sentiment


def make_clips(count, seed=0):
    rng = np.random.RandomState(seed)
    clips = []
    for i in range(count):
        words = ["w%d" % k for k in range(5)]
        visual = rng.normal(size=(5, 75))
        acoustic = rng.normal(size=(5, ACOUSTIC_DIM))
        clips.append(Clip(words, visual, acoustic, rng.uniform(-3, 3)))
    return clips


def prepare_input(words, visual, acoustic):
    """Adds a row of zeros where the tokenizer puts its separator."""
    tokens = ["[CLS]"] + words + ["[SEP]"]
    visual_zero = np.zeros((1, VISUAL_DIM))
    acoustic_zero = np.zeros((1, acoustic.shape[1]))
    visual = np.concatenate((visual_zero, visual, visual_zero))
    acoustic = np.concatenate((acoustic_zero, acoustic, acoustic_zero))
    mask = [1] * len(tokens)

    padding = TEXT_MAX - len(tokens)
    visual = np.concatenate((visual, np.zeros((padding, visual.shape[1]))))
    acoustic = np.concatenate((acoustic, np.zeros((padding, acoustic.shape[1]))))
    return visual, acoustic, mask + [0] * padding


def convert_to_features(clips):
    features = []
    for clip in clips:
        visual, acoustic, mask = prepare_input(clip.words, clip.visual, clip.acoustic)
        features.append((visual, acoustic, mask, clip.sentiment))
    return features


train = convert_to_features(make_clips(6))
batch = np.stack([visual for visual, _, _, _ in train])
print(batch.shape)
