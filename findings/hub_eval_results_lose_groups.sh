#!/usr/bin/env bash
# huggingface_hub 2.4.0 writes the results of all groups under the first group's name into a model card.
#
# Guess: two EvalResults of one dataset and metric that differ in `dataset_args` ({"group": "women"},
#   {"group": "men"}) stand apart in the card and come back as they were.
# Behaviour: they are merged into one entry with the arguments of the first, so the card says that both
#   accuracies are of women, and reading the card gives "women" twice. The identifier under which results
#   are merged holds task, dataset type, configuration, split and revision, and leaves the arguments out.
#   Put the group into `dataset_config`, which is kept apart.
# Versions: Python 3.11, huggingface_hub 2.4.0.
# Output seen:
#   dataset_args: [({'group': 'women'}, 0.71), ({'group': 'women'}, 0.93)]
#   dataset_config: [('women', 0.71), ('men', 0.93)]
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q huggingface_hub==2.4.0
cat > "$place/try.py" <<'PY'
from huggingface_hub import EvalResult, ModelCard, ModelCardData


def card(**groups):
    """Write two results into a card, and tell what a reader of the card finds."""
    results = [
        EvalResult(
            task_type="text-classification",
            dataset_type="imdb",
            dataset_name="IMDb",
            metric_type="accuracy",
            metric_value=value,
            **{field: values[i] for field, values in groups.items()},
        )
        for i, value in enumerate((0.71, 0.93))
    ]
    data = ModelCardData(model_name="model", eval_results=results)
    read = ModelCard(f"---\n{data.to_yaml()}\n---\n").data.eval_results
    return [(getattr(each, field), each.metric_value) for each in read for field in groups]


print("dataset_args:", card(dataset_args=[{"group": "women"}, {"group": "men"}]))
print("dataset_config:", card(dataset_config=["women", "men"]))
PY
cat > "$place/expected" <<'TXT'
dataset_args: [({'group': 'women'}, 0.71), ({'group': 'women'}, 0.93)]
dataset_config: [('women', 0.71), ('men', 0.93)]
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
