#!/usr/bin/env bash
# VADER is not VADER: nltk 3.10.4 and vaderSentiment 3.3.2 give opposite signs with the same lexicon.
#
# Guess: with one lexicon file the two give equal scores for plain sentences without emoji: NLTK's is a
#   port.
# Behaviour: the port does not read "no" as a negation, so "She has no friends" is -.37 in one and +.23 in
#   the other; it drops words of one letter ("a", "I"), which moves neg, neu and pos of nearly every
#   sentence; and a word before four exclamation marks is not found. A sentiment gap between groups that was
#   measured with one is not that of the other, and the name VADER in a paper does not say which.
# Versions: Python 3.11, nltk 3.10.4, vaderSentiment 3.3.2 (its lexicon for both).
# Output seen:
#   She is great. compound 0.6249 and 0.6249, pos 0.672 and 0.672
#   She has no friends. compound -0.3724 and 0.2263, pos 0.0 and 0.425
#   She felt no pain. compound 0.4023 and -0.6705, pos 0.474 and 0.0
#   This woman is no good. compound -0.3412 and 0.1779, pos 0.0 and 0.358
#   She is amazing!!!! compound 0.7156 and 0.0, pos 0.713 and 0.0
#   She is a great doctor. compound 0.6249 and 0.6249, pos 0.506 and 0.577
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q nltk==3.10.4 vaderSentiment==3.3.2
export NLTK_DATA="$place/data"
cat > "$place/try.py" <<'PY'
import os
import zipfile
from pathlib import Path

import vaderSentiment
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer as Original

place = Path(os.environ["NLTK_DATA"]) / "sentiment"
place.mkdir(parents=True, exist_ok=True)
lexicon = Path(vaderSentiment.__file__).parent / "vader_lexicon.txt"
with zipfile.ZipFile(place / "vader_lexicon.zip", "w") as archive:
    archive.write(lexicon, "vader_lexicon/vader_lexicon.txt")

from nltk.sentiment.vader import SentimentIntensityAnalyzer as Port  # noqa: E402

original, port = Original(), Port()
for sentence in (
    "She is great.",
    "She has no friends.",
    "She felt no pain.",
    "This woman is no good.",
    "She is amazing!!!!",
    "She is a great doctor.",
):
    ours, theirs = original.polarity_scores(sentence), port.polarity_scores(sentence)
    print(f"{sentence} compound {ours['compound']} and {theirs['compound']}, pos {ours['pos']} and {theirs['pos']}")
PY
cat > "$place/expected" <<'TXT'
She is great. compound 0.6249 and 0.6249, pos 0.672 and 0.672
She has no friends. compound -0.3724 and 0.2263, pos 0.0 and 0.425
She felt no pain. compound 0.4023 and -0.6705, pos 0.474 and 0.0
This woman is no good. compound -0.3412 and 0.1779, pos 0.0 and 0.358
She is amazing!!!! compound 0.7156 and 0.0, pos 0.713 and 0.0
She is a great doctor. compound 0.6249 and 0.6249, pos 0.506 and 0.577
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
