#!/usr/bin/env bash
# fairlearn 0.15.0: the interval of a difference between groups reaches 0 because some resamples hold one
#   group.
#
# Guess: `MetricFrame(..., n_boot=...).difference_ci()` gives the quantiles of the difference over resamples
#   that hold both groups, or NaN.
# Behaviour: a resample into which no row of a small group was drawn has one group, whose difference is 0,
#   and it counts. Of 20 rows of which 2 are women, 12% of the resamples are such; so the interval starts at
#   0.0 although no resample with both groups comes near (each woman is selected, of 18 men 5). Whoever
#   reads that 0 lies inside finds no bias, and the smaller the group the surer. `by_group_ci` shows no sign
#   of it: there the resample is left out.
# Versions: Python 3.11, fairlearn 0.15.0, pandas 3.1.1, numpy 2.4.6.
# Output seen:
#   difference: 0.72
#   its interval starts at: 0.00
#   over resamples with both groups, at: 0.5
#   selection of women, interval: [1.0, 1.0]
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q fairlearn==0.15.0 pandas==3.1.1 numpy==2.4.6
cat > "$place/try.py" <<'PY'
import numpy as np
from fairlearn.metrics import MetricFrame, selection_rate

group = np.array(["man"] * 18 + ["woman"] * 2)
selected = np.array([1] * 5 + [0] * 13 + [1] * 2)
frame = MetricFrame(
    metrics=selection_rate,
    y_true=selected,
    y_pred=selected,
    sensitive_features=group,
    n_boot=2000,
    ci_quantiles=[0.025, 0.975],
    random_state=0,
)
random = np.random.default_rng(0)
draws = random.integers(0, 20, size=(2000, 20))
both = [d for d in draws if (group[d] == "woman").any() and (group[d] == "man").any()]
own = [selected[d][group[d] == "woman"].mean() - selected[d][group[d] == "man"].mean() for d in both]
print(f"difference: {frame.difference():.2f}")
print(f"its interval starts at: {frame.difference_ci()[0]:.2f}")
print(f"over resamples with both groups, at: {np.quantile(own, 0.025):.1f}")
print(f"selection of women, interval: {[float(ci['woman']) for ci in frame.by_group_ci]}")
PY
cat > "$place/expected" <<'TXT'
difference: 0.72
its interval starts at: 0.00
over resamples with both groups, at: 0.5
selection of women, interval: [1.0, 1.0]
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
