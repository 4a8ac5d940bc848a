#!/usr/bin/env bash
# statsmodels 0.15.0 gives p = 0 to two classifiers that never disagree.
#
# Guess: `mcnemar([[60, 0], [0, 40]], exact=False)`, of pairs of which none flips, gives p = 1 or NaN: the
#   exact test gives 1.
# Behaviour: it gives a statistic of infinity and p = 0, the strongest evidence that there is. The
#   continuity correction takes 1 from a difference of 0 before the square, so (0 - 1)^2 / 0; without the
#   correction p is NaN. A counterfactual test of a model that no swap moves (no label flips in either
#   direction) reads as the most significant bias. The same correction gives p < 1 to flips in balance, 5
#   against 5. Beside it stands only numpy's warning of a division by zero.
# Versions: Python 3.11, statsmodels 0.15.0, scipy 1.17.1, numpy 2.4.6.
# Output seen:
#   no flips, exact: statistic 0.0, p 1.00
#   no flips, chi-square: statistic inf, p 0.00
#   no flips, uncorrected: statistic nan, p nan
#   one flip, chi-square: statistic 0.0, p 1.00
#   5 against 5, exact: statistic 5.0, p 1.00
#   5 against 5, chi-square: statistic 0.1, p 0.75
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q statsmodels==0.15.0 scipy==1.17.1 numpy==2.4.6
cat > "$place/try.py" <<'PY'
from statsmodels.stats.contingency_tables import mcnemar


def told(name, table, **options):
    result = mcnemar(table, **options)
    print(f"{name}: statistic {float(result.statistic):.1f}, p {float(result.pvalue):.2f}")


UNMOVED = [[60, 0], [0, 40]]
told("no flips, exact", UNMOVED, exact=True)
told("no flips, chi-square", UNMOVED, exact=False)
told("no flips, uncorrected", UNMOVED, exact=False, correction=False)
told("one flip, chi-square", [[60, 1], [0, 39]], exact=False)
told("5 against 5, exact", [[55, 5], [5, 35]], exact=True)
told("5 against 5, chi-square", [[55, 5], [5, 35]], exact=False)
PY
cat > "$place/expected" <<'TXT'
no flips, exact: statistic 0.0, p 1.00
no flips, chi-square: statistic inf, p 0.00
no flips, uncorrected: statistic nan, p nan
one flip, chi-square: statistic 0.0, p 1.00
5 against 5, exact: statistic 5.0, p 1.00
5 against 5, chi-square: statistic 0.1, p 0.75
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
