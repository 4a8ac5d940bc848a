#!/usr/bin/env bash
# fairlearn 0.15.0: a fitted ThresholdOptimizer rejects every member of a group that it has not seen.
#
# Guess: `predict` with a group that `fit` did not see raises, or falls back on one threshold for all.
# Behaviour: it predicts 0 for each of its rows, without a word. The prediction is put together group by
#   group from zeros, and nobody fills the rows of an unknown group. One letter is enough: "Woman" for
#   "woman", a new category in production, a missing value written as text. The mitigator of unfairness then
#   refuses a whole group.
# Versions: Python 3.11, fairlearn 0.15.0, scikit-learn 1.9.1, numpy 2.4.6.
# Output seen:
#   man and woman: some of 200 selected
#   nonbinary: none of 200 selected
#   Man and Woman: none of 200 selected
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q fairlearn==0.15.0 scikit-learn==1.9.1
cat > "$place/try.py" <<'PY'
import numpy as np
from fairlearn.postprocessing import ThresholdOptimizer
from sklearn.linear_model import LogisticRegression

random = np.random.default_rng(0)
X = random.normal(size=(200, 1))
y = (X[:, 0] > 0).astype(int)
group = np.array(["man", "woman"] * 100)
model = ThresholdOptimizer(
    estimator=LogisticRegression(), constraints="demographic_parity", predict_method="predict_proba"
).fit(X, y, sensitive_features=group)


def told(name, groups):
    selected = model.predict(X, sensitive_features=groups, random_state=0)
    print(f"{name}: {'some' if selected.sum() else 'none'} of {len(selected)} selected")


told("man and woman", group)
told("nonbinary", np.full(200, "nonbinary"))
told("Man and Woman", np.char.capitalize(group))
PY
cat > "$place/expected" <<'TXT'
man and woman: some of 200 selected
nonbinary: none of 200 selected
Man and Woman: none of 200 selected
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
