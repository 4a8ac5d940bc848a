#!/usr/bin/env bash
# lm-eval 0.4.13 takes an answer that is a number, such as "2" of "1", "2", "3", for a place in the list.
#
# Guess: in a multiple_choice task whose target is text, the target is found among the choices by its text,
#   as "good" of "bad", "good" is: the answer "2" is the choice "2".
# Behaviour: a target of digits is an index that counts from 0, though it is text and is itself a choice. On
#   stars, Likert scales or harm ratings of 1 to 3 the right answer is thus one too high: a model that always
#   answers rightly has accuracy 0, one that is always one too high is right. The target "3" has no choice
#   and counts as wrong, with a warning in the log; the others say nothing. Choices that hold more than the
#   digit ("1 star") are found by their text.
# Versions: Python 3.11, lm-eval 0.4.13, datasets 5.2.0.
# Output seen:
#   ['1', '2', '3'], right answers: [0.0, 0.0, 0.0]
#   ['1', '2', '3'], one too high: [1.0, 1.0, 0.0]
#   ['1 star', '2 stars', '3 stars'], right answers: [1.0, 1.0, 1.0]
#   ['1 star', '2 stars', '3 stars'], one too high: [0.0, 0.0, 1.0]
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q lm-eval==0.4.13 datasets==5.2.0
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import json
import sys
from pathlib import Path

from lm_eval.tasks import TaskManager, get_task_dict

folder = Path(sys.argv[1])


def task(name, choices):
    place = folder / name
    place.mkdir(parents=True)
    rows = [{"text": f"text {choice}", "answer": choice} for choice in choices]
    (place / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    config = {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(place / "rows.jsonl")}},
        "test_split": "test",
        "output_type": "multiple_choice",
        "doc_to_text": "{{text}}",
        "doc_to_target": "{{answer}}",
        "doc_to_choice": choices,
        "metric_list": [{"metric": "acc"}],
    }
    (place / "task.yaml").write_text(json.dumps(config))
    return get_task_dict([name], TaskManager(include_path=str(place), include_defaults=False))[name]


def accuracy(test, choices, move):
    right = []
    for row in test.test_docs():
        answer = min(choices.index(row["answer"]) + move, len(choices) - 1)
        likelihoods = [(0.0 if place == answer else -9.0, False) for place in range(len(choices))]
        right.append(test.process_results(row, likelihoods)["acc"])
    return right


for name, choices in (("digits", ["1", "2", "3"]), ("words", ["1 star", "2 stars", "3 stars"])):
    test = task(name, choices)
    print(f"{choices}, right answers: {accuracy(test, choices, 0)}")
    print(f"{choices}, one too high: {accuracy(test, choices, 1)}")
PY
cat > "$place/expected" <<'TXT'
['1', '2', '3'], right answers: [0.0, 0.0, 0.0]
['1', '2', '3'], one too high: [1.0, 1.0, 0.0]
['1 star', '2 stars', '3 stars'], right answers: [1.0, 1.0, 1.0]
['1 star', '2 stars', '3 stars'], one too high: [0.0, 0.0, 1.0]
TXT
"$place/v/bin/python" "$place/try.py" "$place/task" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
