import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, classification_report
from sklearn.model_selection import train_test_split

customers = pd.read_csv("customers.csv")
customers["tenure"] = customers["tenure"].fillna(customers["tenure"].median())
features = customers[["tenure", "monthly", "calls", "complaints"]]
left = customers["left"]

x_train, x_test, y_train, y_test = train_test_split(features, left, test_size=0.2, random_state=3)
forest = RandomForestClassifier(n_estimators=50, random_state=3)
forest.fit(x_train, y_train)

predicted = forest.predict(x_test)
print("accuracy", accuracy_score(y_test, predicted))
print(classification_report(y_test, predicted))
