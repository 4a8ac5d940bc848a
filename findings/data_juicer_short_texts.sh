#!/usr/bin/env bash
# py-data-juicer 1.6.1 takes all short texts for duplicates of each other and keeps one of them.
#
# Guess: `document_minhash_deduplicator`, with its defaults, keeps four short texts that have no word in
#   common.
# Behaviour: a text of fewer words than the window (5 by default; 5 characters with
#   tokenization="character") has no shingle at all, all such texts get one and the same empty signature,
#   and of all of them the first stays. Tweets, titles, answers and turns of a dialogue are gone, whatever
#   they say, and nothing tells so. `window_size=1` keeps them.
# Versions: Python 3.11, py-data-juicer 1.6.1, datasets 5.2.0, aiohttp 3.14.5 (imported, not asked for).
# Output seen:
#   given: ['good film', 'bad acting', 'he ran', 'she sang well', 'a longer text with more than five words in it']
#   kept: ['good film', 'a longer text with more than five words in it']
#   kept, window_size=1: ['good film', 'bad acting', 'he ran', 'she sang well', 'a longer text with more than five words in it']
#   characters, given: ['yes', 'no', 'hm'], kept: ['yes']
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q py-data-juicer==1.6.1 datasets==5.2.0 aiohttp==3.14.5
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
from data_juicer.ops.deduplicator.document_minhash_deduplicator import DocumentMinhashDeduplicator
from datasets import Dataset

TEXTS = ["good film", "bad acting", "he ran", "she sang well", "a longer text with more than five words in it"]


def kept(texts, **options):
    deduplicator = DocumentMinhashDeduplicator(**options)
    rows, _ = deduplicator.process(Dataset.from_dict({"text": texts}).map(deduplicator.compute_hash))
    return rows["text"][:]


print(f"given: {TEXTS}")
print(f"kept: {kept(TEXTS)}")
print(f"kept, window_size=1: {kept(TEXTS, window_size=1)}")
print(f"characters, given: {['yes', 'no', 'hm']}, kept: {kept(['yes', 'no', 'hm'], tokenization='character')}")
PY
cat > "$place/expected" <<'TXT'
given: ['good film', 'bad acting', 'he ran', 'she sang well', 'a longer text with more than five words in it']
kept: ['good film', 'a longer text with more than five words in it']
kept, window_size=1: ['good film', 'bad acting', 'he ran', 'she sang well', 'a longer text with more than five words in it']
characters, given: ['yes', 'no', 'hm'], kept: ['yes']
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
