#!/usr/bin/env bash
# stopwordsiso 0.7.1 and stop-words 2025.11.4 drop "man" and "men" from English texts and keep "woman" and
#   "women".
#
# Guess: a list of English stop words holds both or none of a pair of gender words, as scikit-learn's and
#   spaCy's do.
# Behaviour: the two largest lists (1,298 and 1,333 words) hold man and men alone; yake's holds he's without
#   she's and mr without mrs. After their filter "the man is a nurse" and "the woman is a nurse" are no
#   twins: one lost its word, so a swap adds a word where it should replace one, and a model sees gender
#   only in texts on women. Counts of mentions by group are zero for men.
# Versions: Python 3.11, stopwordsiso 0.7.1, stop-words 2025.11.4, yake 0.7.3, scikit-learn 1.9.1.
# Output seen:
#   scikit-learn: 318 words; alone of a pair: none
#   stopwordsiso: 1298 words; alone of a pair: man, men
#   stop-words: 1333 words; alone of a pair: man, men
#   yake: 574 words; alone of a pair: mr, he's
#   the man is a nurse -> nurse
#   the woman is a nurse -> woman nurse
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q --no-deps yake==0.7.3
"$place/v/bin/pip" install -q \
  stopwordsiso==0.7.1 stop-words==2025.11.4 scikit-learn==1.9.1
cat > "$place/try.py" <<'PY'
from importlib.metadata import files

import stop_words
import stopwordsiso
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

PAIRS = ("he she", "him her", "man woman", "men women", "boy girl", "mr mrs", "he's she's", "husband wife")
(yake,) = [each for each in files("yake") if each.name == "stopwords_en.txt"]
LISTS = {
    "scikit-learn": ENGLISH_STOP_WORDS,
    "stopwordsiso": stopwordsiso.stopwords("en"),
    "stop-words": stop_words.get_stop_words("en"),
    "yake": yake.read_text().split(),
}
for name, words in LISTS.items():
    halves = [word for pair in PAIRS for word in pair.split() if word in words and len(set(pair.split()) & set(words)) == 1]
    print(f"{name}: {len(set(words))} words; alone of a pair: {', '.join(halves) or 'none'}")
for noun in ("man", "woman"):
    kept = [word for word in f"the {noun} is a nurse".split() if word not in LISTS["stopwordsiso"]]
    print(f"the {noun} is a nurse -> {' '.join(kept)}")
PY
cat > "$place/expected" <<'TXT'
scikit-learn: 318 words; alone of a pair: none
stopwordsiso: 1298 words; alone of a pair: man, men
stop-words: 1333 words; alone of a pair: man, men
yake: 574 words; alone of a pair: mr, he's
the man is a nurse -> nurse
the woman is a nurse -> woman nurse
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
