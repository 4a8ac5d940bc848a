"""Write what the tests of evaluations ask about: a random GPT-2 of bytes, and rows with labels.

python twin_tasks.py FOLDER
"""

import csv
import json
import sys
from importlib.util import find_spec
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

ROWS = 120


def write_model(folder: Path) -> None:
    """Write a GPT-2 with random weights, whose tokens are bytes."""
    letters = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "<end>"]
    written = Tokenizer(models.BPE(vocab={each: k for k, each in enumerate(letters)}, merges=[]))
    written.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    written.decoder = decoders.ByteLevel()
    end = {f"{name}_token": "<end>" for name in ("eos", "bos", "pad")}
    PreTrainedTokenizerFast(tokenizer_object=written, **end).save_pretrained(folder)
    torch.manual_seed(0)
    # Weights that are larger than usual, so that one word changes what is the likeliest.
    config = GPT2Config(
        vocab_size=len(letters), n_positions=1024, n_embd=32, n_layer=2, n_head=2,
        bos_token_id=256, eos_token_id=256, initializer_range=0.3,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)


def write_tasks(folder: Path) -> None:
    """Write tasks that include installed ones and read their documents from a file."""
    reviews = find_spec("fair_datasets").submodule_search_locations[0] + "/cli/demo_reviews.csv"
    with open(reviews, encoding="utf-8") as file:
        rows = [row["text"] for row in csv.DictReader(file)][:ROWS]
    with (folder / "rows.json").open("w") as file:
        for number, text in enumerate(rows):
            row = {"sentence": text, "label": number % 2, "idx": number, "question": text,
                   "question_id": f"q{number}", "answer": {"aliases": [text.split()[0]]},
                   "text": text, "choices": {"text": [text, "Rain."], "label": ["A", "B"]},
                   "answerKey": "AB"[number % 2]}  # fmt: skip
            file.write(json.dumps(row) + "\n")
    tasks = Path(find_spec("lm_eval").submodule_search_locations[0]) / "tasks"
    for name, (path, split) in {
        "reviews": ("glue/sst2/default.yaml", "validation"),
        "matthews": ("glue/cola/default.yaml", "validation"),
        "easy": ("arc/arc_easy.yaml", "test"),
        "trivia": ("triviaqa/default.yaml", "validation"),
        "last_word": ("lambada/lambada_openai.yaml", "test"),
    }.items():
        files = {each: str(folder / "rows.json") for each in ("train", "validation", "test")}
        (folder / f"{name}.yaml").write_text(
            f"include: {tasks / path}\ntask: {name}\ndataset_path: json\ndataset_name: null\n"
            f"dataset_kwargs: {json.dumps({'data_files': files})}\ntag: null\n"
            # The examples come from the documents, where each may not be its own example.
            f"test_split: {split}\nfewshot_split: {split}\n"
        )


if __name__ == "__main__":
    place = Path(sys.argv[1])
    write_model(place / "gpt2")
    if find_spec("lm_eval"):
        write_tasks(place)
