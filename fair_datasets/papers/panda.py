"""Qian et al. (2022): perturbers against people's rewrites, and fairtuning on perturbed rows."""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from datasets import Dataset, concatenate_datasets, load_from_disk

from fair_datasets.measures.fairscore import changed_texts, fairscore
from fair_datasets.papers import rewriters
from fair_datasets.papers.frame import Paper, Run, Values, Work, shared
from fair_datasets.papers.healthy_data_diet import tweets
from fair_datasets.papers.rows import cut
from fair_datasets.perturber.augmentation import PerturbationAugmentation
from fair_datasets.perturber.training.evaluation import perturber_quality
from fair_datasets.selection.probe_trainer import ProbeTrainer

_ROLES = {
    "RoBERTa 3GB": "roberta-3gb", "FairBERTa 3GB": "fairberta-3gb",
    "RoBERTa 16GB": "roberta-16gb", "FairBERTa 16GB": "fairberta", "RoBERTa 160GB": "roberta",
}  # fmt: skip
_TASKS = {
    "cola": ("CoLA", ("sentence",)), "sst2": ("SST-2", ("sentence",)),
    "qqp": ("QQP", ("question1", "question2")), "rte": ("RTE", ("sentence1", "sentence2")),
    "qnli": ("QNLI", ("question", "sentence")),
}  # fmt: skip
_OURS = {"perturber": "model", "this package's swap": "swap", "copying": "copying"}
_OVERLAP = {"BLEU": "bleu", "Levenshtein": "levenshtein", "ROUGE-2": "rouge2"}


def _quality(row: str, work: Work) -> Values:
    """Compare what a perturber writes with what people wrote."""
    splits = work.rows("panda")
    rows = splits.get("validation", splits[next(iter(splits))])
    rows = cut(rows, int(work.setting("most_rows")))
    model = None if row != "perturber" else work.model("perturber") or _random_writer(work)
    cells = perturber_quality(rows, model=model)[_OURS[row]].cells()
    return {column: cells[name] for column, name in _OVERLAP.items()}


def _random_writer(work: Work) -> str:
    """Make a BART of one layer that knows the signs of a perturber."""
    from transformers import BartConfig, BartForConditionalGeneration

    return rewriters.small_model(
        work, "perturber",
        lambda tokenizer: BartForConditionalGeneration(BartConfig(
            vocab_size=len(tokenizer), d_model=32, encoder_layers=1, decoder_layers=1,
            encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=64,
            decoder_ffn_dim=64, max_position_embeddings=256, bos_token_id=0, pad_token_id=1,
            eos_token_id=2, decoder_start_token_id=2)),
        added=["<PERT_SEP>", "<SEP>"],
    )  # fmt: skip


def _qualities(work: Work) -> Iterator[Run]:
    """List the runs of table 2."""
    for row in _OURS:
        yield Run(row, partial(_quality, row))
    for row in ("AugLy", "TextFlint"):
        yield Run(row, partial(_quality, row), left=f"{row} is no part of this package")


def _rows(task: str, split: str, work: Work, *, perturbed: bool) -> Dataset:
    """Return the rows of a task as they are, or each perturbed where it can be."""
    most = int(work.setting("most_rows" if split == "train" else "dev_rows"))
    columns = _TASKS[task][1]

    def make(folder: Path) -> None:
        rows = cut(work.rows(task)[split], most).select_columns([*columns, "label"])
        technique = PerturbationAugmentation(
            columns=columns, axis=tuple(work.setting("axes")),
            model=work.model("perturber") or None,
        )  # fmt: skip
        technique.apply(rows).select_columns(rows.column_names).save_to_disk(folder / "rows")

    if not perturbed:
        return cut(work.rows(task)[split], most).select_columns([*columns, "label"])
    folder = work.kept(f"{task}-{split}-perturbed", make)
    return load_from_disk(str(Path(folder) / "rows"))


def _predictions(
    name: str, task: str, seed: int, work: Work, dev: Sequence[Dataset]
) -> list[list[int]]:
    """Fine-tune a model on originals or on perturbed rows, and predict the classes of dev rows."""
    role, _, tuning = name.partition(", ")
    rate = float(work.setting("learning_rate"))
    columns = _TASKS[task][1]
    trainer = ProbeTrainer(
        columns=columns, model=work.model(_ROLES[role]), epochs=int(work.setting("epochs")),
        learning_rate=rate or None, batch_size=int(work.setting("batch_size")),
    )  # fmt: skip
    predict = trainer(_rows(task, "train", work, perturbed=tuning == "fairtuned"), seed)
    texts = [list(zip(*(rows[column] for column in columns), strict=True)) for rows in dev]
    return [predict(rows).argmax(1).tolist() for rows in texts]


def _score(name: str, task: str, seed: int, work: Work) -> Values:
    """Measure a model on the dev set: Matthews' correlation of CoLA, else accuracy, in per cent."""
    from sklearn.metrics import accuracy_score, matthews_corrcoef

    dev = _rows(task, "validation", work, perturbed=False)
    (found,) = _predictions(name, task, seed, work, [dev])
    measure = matthews_corrcoef if task == "cola" else accuracy_score
    return {_TASKS[task][0]: 100 * float(measure(dev["label"], found))}


def _fairscore(name: str, task: str, seed: int, work: Work) -> Values:
    """Measure how often a prediction changes where a perturbation changed the row."""
    dev = [_rows(task, "validation", work, perturbed=changed) for changed in (False, True)]
    original, perturbed = _predictions(name, task, seed, work, dev)
    texts = [[" ".join(row) for row in zip(*(rows[column] for column in _TASKS[task][1]),
                                           strict=True)] for rows in dev]  # fmt: skip
    found = fairscore(original, perturbed, changed_texts(*texts), dev[0]["label"])
    return {_TASKS[task][0]: 100 * found.fairscore_perturbed}


def _tuned(fill: Any, work: Work) -> Iterator[Run]:
    """List the runs of tables 4 and 5."""
    for row in work.about["printed"]:
        role = _ROLES[row.partition(", ")[0]]
        is_there = work.place("models", role) or (work.is_small and role in PAPER.models)
        for task in work.setting("tasks"):
            for seed in work.chosen_seeds:
                yield Run(row, partial(fill, row, task, seed), seed, task,
                          "" if is_there else "not released")  # fmt: skip


def _human(work: Work) -> dict[str, Dataset]:
    """Read human rewrites, of which all gendered words change, in the form of PANDA."""
    rows = []
    for line in shared("pairs/gender_swap_mtgeneval_dev.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        words = record["masculine"].split(), record["feminine"].split()
        first = next((one for one, other in zip(*words, strict=False) if one != other), "")
        if record["scope"] == "all" and first.strip(".,'\"").isalpha():
            rows.append({"original": record["masculine"], "selected_word": first.strip(".,'\""),
                         "target_attribute": "woman", "perturbed": record["feminine"]})  # fmt: skip
    return {"validation": Dataset.from_list(rows)}


def _tweets(work: Work) -> dict[str, Dataset]:
    """Read the tweets, as sentences."""
    return {split: rows.rename_column("text", "sentence") for split, rows in tweets().items()}


def _reviews(work: Work) -> dict[str, Dataset]:
    """Read the beginnings of film reviews, as sentences."""
    rows = concatenate_datasets(list(rewriters.small_echr(work).values()))
    rows = rows.rename_column("text", "sentence").select_columns(["sentence", "label"])
    parts = rows.train_test_split(0.25, seed=0)
    return {"train": parts["train"], "validation": parts["test"]}


PAPER = Paper(
    name="panda",
    tables={"2": _qualities, "4": partial(_tuned, _score), "5": partial(_tuned, _fairscore)},
    models={
        "perturber": lambda work: "", "roberta": lambda work: "linear",
        "fairberta": lambda work: "linear",
    },
    data={"panda": _human, "cola": _tweets, "sst2": _reviews},
)  # fmt: skip
