#!/usr/bin/env bash
# Seven sentence splitters end a sentence after the title Mx., and none after Mr. or Mrs.
#
# Guess: "Mx. Lee met us. It was late." is two sentences, as with Mr., Mrs. and Ms.: the title is in British
#   and American dictionaries.
# Behaviour: each of the seven makes three, the first of which is "Mx." alone; segtok does so after Ms. too.
#   A sentence-level measure (toxicity, sentiment, regard by sentence) then scores a title and a headless
#   rest, and only for nonbinary people, whose texts also seem to have more and shorter sentences. A pair of
#   texts that differ in the title alone no longer aligns sentence by sentence.
# Versions: Python 3.11, pysbd 0.3.4, segtok 1.5.11, syntok 1.4.4, sentence-splitter 1.4, sentencex 1.0.32,
#   blingfire 0.1.8, spaCy 3.8.18 (blank English, sentencizer).
# Output seen:
#   pysbd: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
#   segtok: Mr. 2, Mrs. 2, Ms. 3, Mx. 3
#   syntok: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
#   sentence-splitter: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
#   sentencex: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
#   blingfire: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
#   spacy: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q \
  pysbd==0.3.4 segtok==1.5.11 syntok==1.4.4 sentence-splitter==1.4 sentencex==1.0.32 blingfire==0.1.8 \
  spacy==3.8.18
cat > "$place/try.py" <<'PY'
import blingfire
import pysbd
import sentencex
import spacy
import syntok.segmenter
from segtok.segmenter import split_single
from sentence_splitter import SentenceSplitter

nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
SPLITTERS = {
    "pysbd": pysbd.Segmenter(language="en", clean=False).segment,
    "segtok": lambda text: list(split_single(text)),
    "syntok": lambda text: [each for paragraph in syntok.segmenter.process(text) for each in paragraph],
    "sentence-splitter": SentenceSplitter("en").split,
    "sentencex": lambda text: list(sentencex.segment("en", text)),
    "blingfire": lambda text: blingfire.text_to_sentences(text).split("\n"),
    "spacy": lambda text: list(nlp(text).sents),
}
TITLES = ("Mr.", "Mrs.", "Ms.", "Mx.")
for name, split in SPLITTERS.items():
    counts = [len(split(f"{title} Lee met us in town today. It was late.")) for title in TITLES]
    print(f"{name}: " + ", ".join(f"{title} {count}" for title, count in zip(TITLES, counts)))
PY
cat > "$place/expected" <<'TXT'
pysbd: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
segtok: Mr. 2, Mrs. 2, Ms. 3, Mx. 3
syntok: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
sentence-splitter: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
sentencex: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
blingfire: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
spacy: Mr. 2, Mrs. 2, Ms. 2, Mx. 3
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
