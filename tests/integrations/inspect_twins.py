"""Ask a small local model of inspect-ai about samples alone and with their twins; print JSON.

python inspect_twins.py FOLDER
"""

import csv
import json
import sys
from importlib.util import find_spec
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import generate

from fair_datasets import CounterfactualSwap
from fair_datasets.integrations.inspect_ai import paired, twin_dataset

folder = Path(sys.argv[1])
reviews = Path(find_spec("fair_datasets").origin).parent / "cli" / "demo_reviews.csv"
with reviews.open(encoding="utf-8") as file:
    texts = [row["text"] for row in csv.DictReader(file)][:60]
swap = CounterfactualSwap(columns="text")


@scorer(metrics=[accuracy()])
def first_letter():
    """Score what a random model writes by its first letter."""

    async def score(state, target):
        letter = state.output.completion[:1]
        return Score(value="C" if letter < "m" else "I", answer=letter)

    return score


def asked(samples, by, **options):
    """Return the metrics of a run by their names."""
    model = get_model(
        "hf/gpt2", model_path=str(folder / "gpt2"), tokenizer_path=str(folder / "gpt2"),
        device="cpu",
    )  # fmt: skip
    config = GenerateConfig(max_tokens=2, top_k=1, seed=0)
    task = Task(dataset=samples, solver=generate(), scorer=by, config=config)
    (log,) = eval(task, model=model, log_dir=str(folder / "logs"), display="none", **options)
    assert log.status == "success", log.error
    return {k: m.value for each in log.results.scores for k, m in each.metrics.items()}


plain = MemoryDataset([Sample(input=text, target="He") for text in texts])
twins = twin_dataset(plain, swap)
chat = Sample(
    input=[ChatMessageSystem(content="Answer him."), ChatMessageUser(content="Is John in?")],
    choices=["John is.", "She is."], target="A", id="chat", metadata={"kept": 1},
)  # fmt: skip
said = twin_dataset([chat], swap)
found = {
    "plain": asked(plain, first_letter()), "twins": asked(twins, paired(first_letter())),
    "several": asked(twins, paired(first_letter()), epochs=2, limit=9),
    "sizes": [len(plain), len(twins)],
    "targets": sorted({(each.metadata["variant"], each.target) for each in twins})[-3:],
    "chat": [[*(m.content for m in each.input), *each.choices, each.target] for each in said],
    "chat_left": chat.choices, "ids": [each.id for each in said], "metadata": said[1].metadata,
}  # fmt: skip
sys.stdout.write(json.dumps(found) + "\n")
