#!/usr/bin/env bash
# HELM (crfm-helm 0.5.16) never swaps the first or last word of a text, and its two-way swap ends with one
#   gender.
#
# Guess: `GenderPerturbation("pronouns", 1.0, "male", "female")` turns "He slept" into "She slept"; with
#   `bidirectional=True` "he met her" becomes "she met him" (her is him by its first match).
# Behaviour: a word is found only between two characters, so a pronoun that begins or ends the text stays:
#   half a twin, "He said that she left", in the configuration that HELM runs. The two-way swap runs the
#   pairs one after another over the same text: he becomes she, then each she, the new ones too, becomes he.
#   "he met her" ends as "he met him": texts on men come back as they were, texts on women become men's. Its
#   documentation promises one look at each word: the source list first, and the target list only for a word
#   that is not there.
# Versions: Python 3.11, crfm-helm 0.5.16.
# Output seen:
#   one way: He said that he left. -> He said that she left.
#   one way: The nurse saw him -> The nurse saw him
#   one way: I know he met her there. -> I know she met her there.
#   one way: I know she met him there. -> I know she met her there.
#   two ways: He said that he left. -> He said that he left.
#   two ways: The nurse saw him -> The nurse saw him
#   two ways: I know he met her there. -> I know he met him there.
#   two ways: I know she met him there. -> I know he met him there.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q --no-deps crfm-helm==0.5.16
"$place/v/bin/pip" install -q \
  filelock zstandard tqdm pyhocon colorlog pyyaml
cat > "$place/try.py" <<'PY'
from random import Random

from helm.benchmark.augmentations.gender_perturbation import GenderPerturbation

SWAPS = {
    "one way": GenderPerturbation("pronouns", 1.0, "male", "female"),
    "two ways": GenderPerturbation("pronouns", 1.0, "male", "female", bidirectional=True),
}
for name, swap in SWAPS.items():
    for text in ("He said that he left.", "The nurse saw him", "I know he met her there.", "I know she met him there."):
        print(f"{name}: {text} -> {swap.perturb(text, Random(0))}")
PY
cat > "$place/expected" <<'TXT'
one way: He said that he left. -> He said that she left.
one way: The nurse saw him -> The nurse saw him
one way: I know he met her there. -> I know she met her there.
one way: I know she met him there. -> I know she met her there.
two ways: He said that he left. -> He said that he left.
two ways: The nurse saw him -> The nurse saw him
two ways: I know he met her there. -> I know he met him there.
two ways: I know she met him there. -> I know he met him there.
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
