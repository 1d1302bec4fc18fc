import numpy as np
from sklearn.decomposition import PCA
from sklearn.svm import SVC

rng = np.random.default_rng(0)
faces = rng.random((120, 900))
people = np.arange(120) % 6

reduction = PCA(n_components=30, whiten=True)
components = reduction.fit_transform(faces)
machine = SVC(C=10, gamma="scale").fit(components, people)

visitors = rng.random((4, 900))
print("people", machine.predict(reduction.transform(visitors)))
