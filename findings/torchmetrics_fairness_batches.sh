#!/usr/bin/env bash
# torchmetrics 1.9.0: BinaryFairness counts a batch that holds only group 1 as group 0.
#
# Guess: `BinaryFairness` fed in batches gives what it gives for the whole, as other metrics do, and names
#   the groups by their numbers.
# Behaviour: the rows are sorted by group and cut where the number changes, and the pieces are added to
#   groups 0, 1, ... in that order. A batch that lacks group 0 adds its rows of group 1 to group 0, so the
#   ratio depends on the order of the rows: .33 in one batch is 0 in two, and the rates of group 1 are NaN.
#   Of the groups 0 and 2 of three the ratio is named as that of group 2, which has rows with a positive
#   rate, but is 0 for a group that is not there. Data sorted by group, small batches and rare groups meet
#   it; nothing is told.
# Versions: Python 3.11, torchmetrics 1.9.0, torch 2.13.0 (CPU), numpy 2.4.6.
# Output seen:
#   parity, one batch: {'DP_1_0': [0.33]}
#   parity, two batches: {'DP_1_0': [0.0]}
#   rates, one batch: {'group_0': [0.5, 0.25, 0.25, 0.0], 'group_1': [0.25, 0.0, 0.25, 0.5]}
#   rates, two batches: {'group_0': [0.38, 0.12, 0.25, 0.25], 'group_1': [nan, nan, nan, nan]}
#   parity, groups 0 and 2 of three: {'DP_2_0': [0.0]}
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q torchmetrics==1.9.0 torch==2.13.0 numpy==2.4.6
cat > "$place/try.py" <<'PY'
from torch import tensor
from torchmetrics.classification import BinaryFairness, BinaryGroupStatRates

SELECTED = tensor([1, 1, 1, 0, 0, 0, 0, 1])
TRUE = tensor([1, 0, 1, 0, 1, 0, 1, 1])
GROUP = tensor([0, 0, 0, 0, 1, 1, 1, 1])  # selected: .75 of group 0, .25 of group 1


def told(name, metric, group, size):
    for start in range(0, 8, size):
        rows = slice(start, start + size)
        metric.update(SELECTED[rows], TRUE[rows], group[rows])
    print(f"{name}: { {key: [round(x, 2) for x in value.reshape(-1).tolist()] for key, value in metric.compute().items()} }")


told("parity, one batch", BinaryFairness(2, task="demographic_parity"), GROUP, 8)
told("parity, two batches", BinaryFairness(2, task="demographic_parity"), GROUP, 4)
told("rates, one batch", BinaryGroupStatRates(2), GROUP, 8)
told("rates, two batches", BinaryGroupStatRates(2), GROUP, 4)
told("parity, groups 0 and 2 of three", BinaryFairness(3, task="demographic_parity"), GROUP * 2, 8)
PY
cat > "$place/expected" <<'TXT'
parity, one batch: {'DP_1_0': [0.33]}
parity, two batches: {'DP_1_0': [0.0]}
rates, one batch: {'group_0': [0.5, 0.25, 0.25, 0.0], 'group_1': [0.25, 0.0, 0.25, 0.5]}
rates, two batches: {'group_0': [0.38, 0.12, 0.25, 0.25], 'group_1': [nan, nan, nan, nan]}
parity, groups 0 and 2 of three: {'DP_2_0': [0.0]}
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
