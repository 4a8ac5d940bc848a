#!/usr/bin/env bash
# aequitas 1.1.0 merges a minority that is coded 0 and 1 into the majority.
#
# Guess: `preprocess_input_df` leaves a column of 0 and 1 as two groups, or asks for strings.
# Behaviour: each column that is not text is cut at its quartiles, with no regard to how many values it has.
#   With 1 in four rows of 24 all quartiles but the last are 0, so both values fall in one group
#   "0.00-1.00": the audit finds one group, every disparity is 1.0, and nobody is told. It happens to each
#   group below about a quarter, that is to minorities; booleans and ages too become intervals. Texts ("0",
#   "1") keep their groups.
# Versions: Python 3.11, aequitas 1.1.0, pandas 2.3.3.
# Output seen:
#   numbers: groups ['0.00-1.00']
#     0.00-1.00: selected 0.417, disparity 1.0
#   text: groups ['0', '1']
#     0: selected 0.500, disparity 1.0
#     1: selected 0.000, disparity 0.0
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q aequitas==1.1.0 pandas==2.3.3
cat > "$place/try.py" <<'PY'
import pandas as pd
from aequitas.bias import Bias
from aequitas.group import Group
from aequitas.preprocessing import preprocess_input_df

# Of 20 rows of the majority 10 are selected, of 4 of the minority none.
rows = pd.DataFrame({"score": [1, 0] * 10 + [0] * 4, "label_value": [1, 0] * 12, "minority": [0] * 20 + [1] * 4})


def told(name, frame):
    ready, columns = preprocess_input_df(frame.copy())
    found, _ = Group().get_crosstabs(ready, attr_cols=["minority"])
    largest = Bias().get_disparity_major_group(found, original_df=ready)
    print(f"{name}: groups {sorted(ready['minority'].unique())}")
    for _, row in largest.iterrows():
        print(f"  {row['attribute_value']}: selected {row['pprev']:.3f}, disparity {row['pprev_disparity']:.1f}")


told("numbers", rows)
told("text", rows.assign(minority=rows["minority"].astype(str)))
PY
cat > "$place/expected" <<'TXT'
numbers: groups ['0.00-1.00']
  0.00-1.00: selected 0.417, disparity 1.0
text: groups ['0', '1']
  0: selected 0.500, disparity 1.0
  1: selected 0.000, disparity 0.0
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
