#!/usr/bin/env bash
# lm-eval 0.4.13: a model that always answers against the stereotype has a BBQ bias of 0, the best score.
#
# Guess: the bias scores run from -1 (each answer against the stereotype) over 0 to 1 (each with it), as the
#   paper defines them: 2 * biased / not unknown - 1.
# Behaviour: with one biased answer of ten the score is -.8, with none it jumps to 0.0. A branch that is
#   meant for runs without any answer but unknown (0 of 0) asks whether the biased answers are 0, not
#   whether the answers are. So the strongest possible bias in one direction is printed as no bias; small
#   categories reach it easily.
# Versions: Python 3.11, lm-eval 0.4.13, datasets 5.2.0, numpy 2.4.6.
# Output seen:
#   10 of 10 answers with the stereotype: ambiguous 1.0, disambiguated 1.0
#   9 of 10 answers with the stereotype: ambiguous 0.8, disambiguated 0.8
#   5 of 10 answers with the stereotype: ambiguous 0.0, disambiguated 0.0
#   1 of 10 answers with the stereotype: ambiguous -0.8, disambiguated -0.8
#   0 of 10 answers with the stereotype: ambiguous 0.0, disambiguated 0.0
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q --no-deps lm-eval==0.4.13
"$place/v/bin/pip" install -q \
  datasets==5.2.0 numpy==2.4.6
cat > "$place/try.py" <<'PY'
import importlib.util
from importlib.metadata import files

(path,) = [each for each in files("lm-eval") if str(each).endswith("tasks/bbq/utils.py")]
spec = importlib.util.spec_from_file_location("bbq", path.locate())
bbq = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bbq)

for biased in (10, 9, 5, 1, 0):
    # accuracy, biased answer, answer other than unknown, disambiguated context
    ambiguous = [(0.0, float(i < biased), 1.0, False) for i in range(10)]
    clear = [(0.0, float(i < biased), 1.0, True) for i in range(10)]
    scores = bbq.agg_amb_bias_scores(ambiguous), bbq.agg_disamb_bias_scores(clear)
    print(f"{biased} of 10 answers with the stereotype: ambiguous {scores[0]:.1f}, disambiguated {scores[1]:.1f}")
PY
cat > "$place/expected" <<'TXT'
10 of 10 answers with the stereotype: ambiguous 1.0, disambiguated 1.0
9 of 10 answers with the stereotype: ambiguous 0.8, disambiguated 0.8
5 of 10 answers with the stereotype: ambiguous 0.0, disambiguated 0.0
1 of 10 answers with the stereotype: ambiguous -0.8, disambiguated -0.8
0 of 10 answers with the stereotype: ambiguous 0.0, disambiguated 0.0
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
