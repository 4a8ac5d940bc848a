"""Qian et al. (2022): perturbers against people's rewrites, biases of models, and fairtuning."""

import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, load_from_disk
from numpy.typing import NDArray

from fair_datasets.measures.crows_pairs import COLUMNS, crows_pairs, load_crows_pairs
from fair_datasets.measures.flip_rate import changed_texts, fairscore
from fair_datasets.measures.holistic_bias import likelihood_bias
from fair_datasets.measures.holistic_sentences import build_holistic_sentences
from fair_datasets.measures.weat import SETS, weat_test
from fair_datasets.rewriters.perturber.augmentation import PerturbationAugmentation
from fair_datasets.rewriters.perturber.data import perturber_quality
from fair_datasets.scores.likelihoods import sentence_values, shared_token_scores
from fair_datasets.scores.probes.train import ProbeTrainer
from fair_datasets.system.checks import InputError
from hub_scripts.encoders.encoder_tasks import GENDER_TESTS
from hub_scripts.encoders.encoders import evaluate_encoders
from hub_scripts.papers import rewriters
from hub_scripts.papers.frame import Paper, Run, Values, Work, cut, minilm, shared
from hub_scripts.papers.healthy_data_diet import tweets

_ROLES = {
    "RoBERTa 3GB": "roberta-3gb", "FairBERTa 3GB": "fairberta-3gb",
    "RoBERTa 16GB": "roberta-16gb", "FairBERTa 16GB": "fairberta", "RoBERTa 160GB": "roberta",
}  # fmt: skip
_TASKS = {
    "cola": ("CoLA", ("sentence",)), "sst2": ("SST-2", ("sentence",)),
    "qqp": ("QQP", ("question1", "question2")), "rte": ("RTE", ("sentence1", "sentence2")),
    "qnli": ("QNLI", ("question", "sentence")), "stsb": ("STS-B", ("sentence1", "sentence2")),
}  # fmt: skip
_AXES = {"age": "age", "gender": "gender_and_sex", "race": "race_ethnicity"}
_TYPES = {"age": "age", "gender": "gender", "race": "race-color"}
_TESTS = {"age": ("C10",), "gender": GENDER_TESTS, "race": ("C3", "C3b", "C4", "C5", "C5b")}
_LEVEL = 0.05
_OURS = {"perturber": "model", "this package's swap": "swap", "copying": "copying"}
_SPLITS = {"train": "train", "validation": "dev", "test": "test"}
_OVERLAP = {"BLEU": "bleu", "Levenshtein": "levenshtein", "ROUGE-2": "rouge2"}


def _quality(row: str, work: Work) -> Values:
    """Compare what a perturber writes with what people wrote."""
    splits = work.rows("panda")
    rows = splits.get("validation", splits[next(iter(splits))])
    rows = cut(rows, int(work.setting("most_rows")))
    model = None
    if row == "perturber":
        # The stand-in begins by copying all that it reads, and knows the signs of a perturber.
        model = work.model("perturber") or rewriters.small_model(
            work, row, rewriters.copying_bart, ["<PERT_SEP>", "<SEP>"]
        )
    cells = perturber_quality(rows, model=model)[_OURS[row]].cells()
    return {column: cells[name] for column, name in _OVERLAP.items()}


def _qualities(work: Work) -> Iterator[Run]:
    """List the runs of table 2."""
    for row in _OURS:
        yield Run(row, partial(_quality, row))
    for row in ("AugLy", "TextFlint"):
        yield Run(row, partial(_quality, row), skip_reason=f"{row} is not part of this package")


def _holistic(role: str, work: Work) -> Values:
    """Give the share of pairs of descriptors that a model finds unequally likely, for each axis."""
    folder = Path(work.file("holistic"))
    files = []
    for name in ("*descriptors*.json", "*nouns*.json"):
        files += sorted(folder.glob(name))[:1]
        if not files or not files[-1].match(name):
            form = work.facts["data"]["holistic"]["form"]
            raise InputError(f"--data holistic: {str(folder)!r} holds no {name}; {form}.")
    sentences = build_holistic_sentences(*files, faulty="keep")
    rows = [row for row in sentences if row["axis"] in _AXES.values()]
    for column, of in (("template", ""), ("descriptor", "axis")):
        most = int(work.setting(f"{column}s"))
        seen: dict[str, dict[str, int]] = {}
        for row in rows:
            known = seen.setdefault(row.get(of, ""), {})
            known.setdefault(row[column], len(known))
        if most:
            rows = [row for row in rows if seen[row.get(of, "")][row[column]] < most]
    rows = rows[:: round(1 / work.share)]
    values, _ = sentence_values([row["text"] for row in rows], work.model(role))
    columns = [[row[name] for row in rows] for name in ("axis", "template", "descriptor")]
    axes = likelihood_bias(values, *columns).axes
    return {f"HolisticBias, {name}": axes.get(axis) for name, axis in _AXES.items()}


def _associations(role: str, work: Work) -> Values:
    """Give the share of WEAT's and SEAT's tests that are significant, and how large those are."""
    tests: dict[str, Any] = {}
    for name in (name for names in _TESTS.values() for name in names):
        test = weat_test(name)
        sets = [(word, letter) for letter in SETS for word in getattr(test, letter)]
        words, letters = map(list, zip(*sets, strict=True))
        tests |= {name: None, f"{name} of words": {"texts": words, "sets": letters}}
    results = evaluate_encoders({role: work.model(role)}, tests=tests, pooling="cls").rows
    values: dict[str, float | None] = {}
    for group, names in {**_TESTS, "total": sum(_TESTS.values(), ())}.items():
        rows = [row for row in results if row["test"].split()[0] in names and row["value"]]
        effects = [abs(row["value"]) for row in rows if row["p_value"] < _LEVEL]
        values[f"significant %, {group}"] = 100 * len(effects) / len(rows) if rows else None
        values[f"effect, {group}"] = sum(effects) / len(effects) if effects else None
    return values


def _stereotypes(role: str, work: Work) -> Values:
    """Give how often a model finds the more stereotyping sentence of CrowS-Pairs the likelier."""
    pairs = load_crows_pairs(work.file("crows"), faulty="keep")
    more, less, *about = (pairs[name][:: round(1 / work.share)] for name in COLUMNS)
    scores = shared_token_scores(more, less, work.model(role))
    result = crows_pairs(scores[:, 0], scores[:, 1], *about)
    values: dict[str, float | None] = {"CrowS-Pairs, all": result.overall.score}
    for name, kind in _TYPES.items():
        share = result.bias_types.get(kind)
        values[f"CrowS-Pairs, {name}"] = None if share is None else share.score
    return values


def _biases(work: Work) -> Iterator[Run]:
    """List the runs of table 3."""
    fills = {"HolisticBias": _holistic, "SEAT": _associations, "CrowS-Pairs": _stereotypes}
    for row in work.about["printed"]:
        for name, fill in fills.items():
            yield Run(row, partial(fill, _ROLES[row]), None, name, _skip_reason(_ROLES[row], work))


def _skip_reason(role: str, work: Work) -> str:
    """Return why a model is not run; empty for one that is."""
    is_there = work.place("models", role) or (work.is_small and role in PAPER.models)
    return "" if is_there else "not released"


def _masked(role: str, work: Work) -> str:
    """Give the first layers of MiniLM a head for table 3; the others need no masks."""
    if work.table != "3":
        return minilm() if role == "roberta" else "linear"

    def make(folder: Path) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer, BertConfig, BertForMaskedLM

        layers = 2 if role == "roberta" else 1
        config = BertConfig.from_pretrained(minilm(), num_hidden_layers=layers)
        model = BertForMaskedLM(config)
        whole = AutoModel.from_pretrained(minilm())
        model.base_model.load_state_dict(whole.state_dict(), strict=False)
        head = model.cls.predictions.transform.dense
        with torch.no_grad():
            head.weight.copy_(torch.eye(len(head.weight)))
        model.save_pretrained(folder)
        AutoTokenizer.from_pretrained(minilm()).save_pretrained(folder)

    return str(work.cached(f"small-{role}", make))


def _bug(work: Work) -> Path:
    """Write sentences on professions, each with its swap, in the form of CrowS-Pairs."""

    def make(folder: Path) -> None:
        with shared("classification/bug_gold.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if int(row["stereotype"])][:12]
        folder.mkdir(exist_ok=True)
        swaps = rewriters.swapped([row["text"] for row in rows], names=False)
        with (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for row, swap in zip(rows, swaps, strict=True):
                direction = "stereo" if int(row["stereotype"]) > 0 else "antistereo"
                if row["text"] != swap:
                    writer.writerow([row["text"], swap, direction, "gender"])

    return work.cached("small-crows", make) / "pairs.csv"


def _rows(task: str, split: str, work: Work, *, perturbed: bool) -> Dataset:
    """Return the rows of a task as they are, or each perturbed where it can be."""
    most = int(work.setting("most_rows" if split == "train" else "dev_rows"))
    columns = _TASKS[task][1]
    rows = cut(work.rows(task)[split], most).select_columns([*columns, "label"])
    if not perturbed:
        return rows

    def make(folder: Path) -> None:
        technique = PerturbationAugmentation(
            columns=columns, axis=tuple(work.setting("axes")), protect=(),
            model=work.model("perturber") or None,
        )  # fmt: skip
        technique.apply(rows).select_columns(rows.column_names).save_to_disk(folder / "rows")

    return load_from_disk(str(work.cached(f"{task}-{split}-perturbed", make) / "rows"))


def _shares(
    name: str, task: str, seed: int, work: Work, dev: Sequence[Dataset]
) -> list[NDArray[np.float64]]:
    """Fine-tune a model on originals or perturbed rows; return the shares of dev rows' classes."""
    role, _, tuning = name.partition(", ")
    rate = float(work.setting("learning_rate"))
    columns = _TASKS[task][1]
    trainer = ProbeTrainer(
        columns=columns, model=(model := work.model(_ROLES[role])),
        head=work.head(_ROLES[role], model), epochs=int(work.setting("epochs")),
        learning_rate=rate or None, batch_size=int(work.setting("batch_size")),
    )  # fmt: skip
    train = _rows(task, "train", work, perturbed=tuning == "fairtuned")
    if task == "stsb":
        # A class is the whole number that is nearest to a similarity.
        labels = [int(label + 0.5) for label in train["label"]]
        train = train.remove_columns("label").add_column("label", labels)
    predict = trainer(train, seed)
    texts = [list(zip(*(rows[column] for column in columns), strict=True)) for rows in dev]
    return [predict(rows) for rows in texts]


def _score(name: str, task: str, seed: int, work: Work) -> Values:
    """Measure a model on the dev set, in per cent: accuracy, or the correlation of the task."""
    from sklearn.metrics import accuracy_score, matthews_corrcoef

    dev = _rows(task, "validation", work, perturbed=False)
    (shares,) = _shares(name, task, seed, work, [dev])
    if task == "stsb":
        expected = shares @ np.arange(shares.shape[1])
        return {"STS-B": 100 * float(np.corrcoef(dev["label"], expected)[0, 1])}
    measure = matthews_corrcoef if task == "cola" else accuracy_score
    return {_TASKS[task][0]: 100 * float(measure(dev["label"], shares.argmax(1)))}


def _fairscore(name: str, task: str, seed: int, work: Work) -> Values:
    """Measure how often a prediction changes where a perturbation changed the row."""
    dev = [_rows(task, "validation", work, perturbed=changed) for changed in (False, True)]
    original, perturbed = (each.argmax(1).tolist() for each in _shares(name, task, seed, work, dev))
    texts = [[" ".join(row) for row in zip(*(rows[column] for column in _TASKS[task][1]),
                                           strict=True)] for rows in dev]  # fmt: skip
    result = fairscore(original, perturbed, changed_texts(*texts), dev[0]["label"])
    return {_TASKS[task][0]: 100 * result.fairscore_perturbed}


def _tuned(fill: Any, work: Work) -> Iterator[Run]:
    """List the runs of tables 4 and 5."""
    for row in work.about["printed"]:
        role = _ROLES[row.partition(", ")[0]]
        for task in (name for name in work.setting("tasks") if name in work.about["data"]):
            for seed in work.chosen_seeds:
                yield Run(row, partial(fill, row, task, seed), seed, task, _skip_reason(role, work))


def _human(work: Work) -> dict[str, Dataset]:
    """Read human rewrites, of which all gendered words change, in the form of PANDA."""
    rows = []
    lines = shared("pairs/gender_swap_mtgeneval_dev.jsonl").read_text("utf-8").splitlines()
    for record in map(json.loads, lines):
        words = record["masculine"].split(), record["feminine"].split()
        first = next((one for one, other in zip(*words, strict=False) if one != other), "")
        if record["scope"] == "all" and first.strip(".,'\"").isalpha():
            rows.append({"original": record["masculine"], "selected_word": first.strip(".,'\""),
                         "target_attribute": "woman", "perturbed": record["feminine"]})  # fmt: skip
    return {"validation": Dataset.from_list(rows)}


def _tweets(work: Work) -> dict[str, Dataset]:
    return {split: rows.rename_column("text", "sentence") for split, rows in tweets().items()}


def _reviews(work: Work) -> dict[str, Dataset]:
    """Read the beginnings of film reviews, as sentences."""
    return {split: rows.rename_column("text", "sentence") for split, rows in reviews(work).items()}


def reviews(work: Work) -> dict[str, Dataset]:
    """Read the beginnings of film reviews, and of the two that differ by a few words the first."""
    splits = {}
    for split, name in _SPLITS.items():
        path = shared(f"classification/imdb_counterfactual_{name}.tsv.gz")
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        firsts = {row["batch_id"]: row for row in reversed(rows)}.values()
        splits[split] = Dataset.from_dict({
            "text": [" ".join(row["Text"].split()[:40]) for row in firsts],
            "label": [int(row["Sentiment"] == "Positive") for row in firsts],
        })  # fmt: skip
    return splits


def similar(work: Work) -> dict[str, Dataset]:
    """Read STS-B: `sentence1`, `sentence2` and their similarity `label`, 0 to 5."""
    splits = {}
    for split, name in _SPLITS.items():
        path = shared(f"sentence_pairs/stsb_en_{name}.csv")
        with path.open(encoding="utf-8", newline="") as file:
            rows = [(first, second, float(score)) for first, second, score in csv.reader(file)]
        columns = zip(("sentence1", "sentence2", "label"), zip(*rows, strict=True), strict=True)
        splits[split] = Dataset.from_dict({column: list(values) for column, values in columns})
    return splits


PAPER = Paper(
    name="panda",
    tables={"2": _qualities, "3": _biases, "4": partial(_tuned, _score),
            "5": partial(_tuned, _fairscore)},
    models={
        "perturber": lambda work: "", "roberta": partial(_masked, "roberta"),
        "fairberta": partial(_masked, "fairberta"),
    },
    data={"panda": _human, "cola": _tweets, "sst2": _reviews, "stsb": similar, "crows": _bug,
          "holistic": lambda work: shared("wordlists")},
)  # fmt: skip
