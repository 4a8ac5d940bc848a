#!/usr/bin/env bash
# fairlearn 0.15.0 finds perfect demographic parity in any predictions that are words.
#
# Guess: `demographic_parity_difference` of predictions "yes" and "no" raises, as
#   `equalized_odds_difference` does ("pos_label is not specified, values must be from {0, 1} or {-1, 1}").
# Behaviour: it returns 0.0, the fairest value, though every man and no woman is selected. The rate is the
#   share that equals the number 1, and no word does: "yes", "1" and "POSITIVE" alike, and so do
#   probabilities. There is no pos_label to set. Classifiers of text that predict words ("toxic",
#   "positive") meet this first.
# Versions: Python 3.11, fairlearn 0.15.0, scikit-learn 1.9.1.
# Output seen:
#   parity, 0 and 1: 1.0
#   parity, no and yes: 0.0
#   parity, '0' and '1': 0.0
#   odds, no and yes: ValueError: If pos_label is not specified, values must be from {0, 1} or {-1, 1}
#   parity, probabilities .1 and .9: 0.0
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q fairlearn==0.15.0 scikit-learn==1.9.1
cat > "$place/try.py" <<'PY'
from fairlearn.metrics import demographic_parity_difference, equalized_odds_difference

GROUP = ["man"] * 4 + ["woman"] * 4
SELECTED = [1] * 4 + [0] * 4  # every man, no woman
TRUE = [1, 0] * 4


def told(name, measure, written):
    try:
        found = measure([written[y] for y in TRUE], [written[y] for y in SELECTED], sensitive_features=GROUP)
        print(f"{name}: {found}")
    except ValueError as error:
        print(f"{name}: ValueError: {error}")


told("parity, 0 and 1", demographic_parity_difference, [0, 1])
told("parity, no and yes", demographic_parity_difference, ["no", "yes"])
told("parity, '0' and '1'", demographic_parity_difference, ["0", "1"])
told("odds, no and yes", equalized_odds_difference, ["no", "yes"])
told("parity, probabilities .1 and .9", demographic_parity_difference, [0.1, 0.9])
PY
cat > "$place/expected" <<'TXT'
parity, 0 and 1: 1.0
parity, no and yes: 0.0
parity, '0' and '1': 0.0
odds, no and yes: ValueError: If pos_label is not specified, values must be from {0, 1} or {-1, 1}
parity, probabilities .1 and .9: 0.0
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
