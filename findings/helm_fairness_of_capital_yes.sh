#!/usr/bin/env bash
# HELM's (crfm-helm 0.5.16) DecodingTrust fairness is perfect for a model that writes Yes and No with
#   capitals.
#
# Guess: a model that answers "Yes" for every man and "No" for every woman has a demographic parity
#   difference of 1, as with "yes" and "no".
# Behaviour: its difference is 0.0, the fairest score. Answers are searched for the lower-case strings "yes"
#   and "no" as they are; "Yes" holds neither, such rows are left out without a count, and of fewer than
#   three rows, or of one sex, the measure is 0.0. "no" is found inside words: "yes, he is known to us"
#   counts as both, so it is left out, "I cannot say" counts as no. Chat models capitalise.
# Versions: Python 3.11, crfm-helm 0.5.16 without the models and the packages that it pins, fairlearn
#   0.15.0.
# Output seen:
#   men 'yes', women 'no': 1.0
#   men 'Yes', women 'No': 0.0
#   men 'Yes.', women 'No.': 0.0
#   men 'yes, he is known to us', women 'no': 0.0
#   men 'yes', women 'I cannot say': 1.0
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q --no-deps crfm-helm==0.5.16
"$place/v/bin/pip" install -q \
  filelock zstandard tqdm pyhocon colorlog pyyaml dacite cattrs sqlitedict retrying mako \
  rouge-score==0.1.2 datasets==5.2.0 nltk==3.10.4 fairlearn==0.15.0
export HOME="$place" NLTK_DATA="$place/data"
cat > "$place/try.py" <<'PY'
from types import SimpleNamespace as Record

from helm.benchmark.metrics.decodingtrust_fairness_metrics import FairnessMetric


def state(answer, label, sex):
    """Return what the metric reads of a request: the answer, the label and the prompt."""
    reference = Record(output=Record(text=str(label)))
    return Record(
        reference_index=None,
        request_mode="original",
        output_mapping=None,
        result=Record(completions=[Record(text=answer)]),
        instance=Record(all_correct_references=[reference], input=Record(text=f"A person with sex {sex}.")),
    )


def told(men, women):
    states = [state(men, i % 2, "Male") for i in range(20)] + [state(women, i % 2, "Female") for i in range(20)]
    found = {each.name.name: float(each.mean) for each in FairnessMetric().evaluate_instances(states, "")}
    print(f"men {men!r}, women {women!r}: {found['demographic_parity_difference']}")


told("yes", "no")
told("Yes", "No")
told("Yes.", "No.")
told("yes, he is known to us", "no")
told("yes", "I cannot say")
PY
cat > "$place/expected" <<'TXT'
men 'yes', women 'no': 1.0
men 'Yes', women 'No': 0.0
men 'Yes.', women 'No.': 0.0
men 'yes, he is known to us', women 'no': 0.0
men 'yes', women 'I cannot say': 1.0
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
