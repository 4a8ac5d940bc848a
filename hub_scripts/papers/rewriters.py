"""What the tables of MBCDA and of FairFlow share: tasks, rewriters, measures, small stand-ins."""

import csv
import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from datasets import Dataset, concatenate_datasets, load_dataset

from fair_datasets.evaluation.counterfactuals import evaluate_counterfactuals
from fair_datasets.evaluation.trained import CAREERS, PLEASANTNESS, WordAssociation
from fair_datasets.rewriters.generation.writing import RewriteRequest, rewrite_texts
from fair_datasets.rewriters.mbcda.train import MbcdaConfig
from fair_datasets.rewriters.training.generator import generator_of, make_start, split_by_text
from fair_datasets.rewriters.training.network import train_tokenizer
from fair_datasets.rewriters.training.parallel import ParallelConfig, attributed_rows, parallel_rows
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.train import ProbeTrainer, train_probes
from fair_datasets.swap.balancing import MentionedAttribute
from fair_datasets.swap.counterfactual import CounterfactualSwap
from hub_scripts.papers.frame import Run, Values, Work, cut, shared

_OWNER = "reproduce-paper"
GROUPS = ("woman", "man")
_CELLS = tuple((gender, label) for gender in GROUPS for label in (1, 0))
# What the tables call the measures of `evaluate_counterfactuals`.
_MEASURES = {
    "PPL": "perplexity", "transfer": "transfer accuracy",
    "TPRD": "true positive rate difference", "FPRD": "false positive rate difference",
}  # fmt: skip
_WORDS = {"bios": CAREERS, "jigsaw": PLEASANTNESS}
# The tweets that stand in for comments have few of the words that the paper takes.
_OF_TWEETS = replace(
    PLEASANTNESS,
    name="pleasant and unpleasant, in tweets",
    X=("love", "good", "great", "nice", "best", "happy"),
    Y=("hate", "bad", "stupid", "ugly", "worst", "dumb"),
)
# The versions that this package's swap writes, and whether with first names.
_SWAPS = {"CDA1": True, "CDA2": False, "Hall-M": True}
_PRONOUNS = {"she": "woman", "her": "woman", "herself": "woman", "hers": "woman",
             "he": "man", "his": "man", "him": "man", "himself": "man"}  # fmt: skip


class Task(NamedTuple):
    """Rows whose labels go with gender, and as many of each for a test.

    Attributes:
        train: `text`, `label` and `gender`.
        test: The same, as many of each gender and label.
    """

    train: Dataset
    test: Dataset
    rest: Dataset


def task(work: Work, name: str) -> Task:
    """Cut `bios`, `jigsaw` or `echr` into the rows of a task, in the cells of the paper."""
    rows = concatenate_datasets(list(work.rows(name).values()))
    if name in ("bios", "jigsaw"):
        rows = (_bios if name == "bios" else _toxic)(work, rows)
    rows = rows.select_columns(["text", "label", "gender"])
    of: dict[Any, list[int]] = {cell: [] for cell in _CELLS}
    for place, cell in enumerate(zip(rows["gender"], rows["label"], strict=True)):
        if cell in of:
            of[cell].append(place)
    draws = random.Random(0)
    for places in of.values():
        draws.shuffle(places)
    most = int(work.setting("tested") * work.share)
    tested = max(2, min(most, min(map(len, of.values())) // 3))
    sizes = [max(2, int(size * work.share)) for size in work.setting(f"cells_{name}")]
    selected = {cell: of[cell][tested:][:size] for cell, size in zip(_CELLS, sizes, strict=True)}
    test = [place for cell in _CELLS for place in of[cell][:tested]]
    train = [place for places in selected.values() for place in places]
    draws.shuffle(train)
    used = {*train, *test}
    rest = [place for places in of.values() for place in places if place not in used]
    return Task(rows.select(train), rows.select(test), rows.select(rest))


def _bios(work: Work, rows: Dataset) -> Dataset:
    """Label biographies: is the profession one of more women than men?"""
    women = Counter(job for job, gender in zip(rows["profession"], rows["gender"], strict=True)
                    if gender == 1)  # fmt: skip
    share = {job: women[job] / count for job, count in Counter(rows["profession"]).items()}
    return Dataset.from_dict({
        "text": rows["hard_text"][:],
        "label": [int(share[job] > work.setting("dominated")) for job in rows["profession"]],
        "gender": ["woman" if gender == 1 else "man" for gender in rows["gender"]],
    })  # fmt: skip


def _toxic(work: Work, rows: Dataset) -> Dataset:
    """Label comments on one gender: are they toxic?"""

    def gender(row: Mapping[str, Any]) -> str:
        women, men = row["female"] or 0.0, row["male"] or 0.0
        if women > 0.5 > men:
            return "woman"
        return "man" if men > 0.5 > women else ""

    return rows.map(
        lambda row: {"text": row["comment_text"], "label": int(row["target"] >= 0.5),
                     "gender": gender(row)},
        desc="Labelling",
    )  # fmt: skip


def gender_classifier(work: Work) -> str:
    """Train what reads a gender, on the biographies that are in no task, and return its folder."""

    def make(folder: Path) -> None:
        rest = task(work, "bios").rest.shuffle(seed=0)
        of = [[place for place, own in enumerate(rest["gender"]) if own == gender]
              for gender in GROUPS]  # fmt: skip
        most = min(*map(len, of), int(work.setting("classifier_rows")) // 2)
        numbers = [number for number in range(2) for _ in range(most)]
        texts = rest.select(of[0][:most] + of[1][:most])["text"][:]
        rows = Dataset.from_dict({"text": texts, "gender": numbers})
        config = ProbeConfig(
            out=folder / "probes", model=work.model("bert"), columns="text", label="gender",
            seeds=1, epochs=int(work.setting("classifier_epochs")),
        )  # fmt: skip
        last = train_probes(config, rows)[0][-1]
        (folder / "last").write_text(str(Path(last).relative_to(folder)))

    folder = work.cached("gender", make)
    return str(folder / (folder / "last").read_text())


def training(work: Work, seed: int) -> dict[str, Any]:
    """Return how any generator is trained."""
    return {
        "out": work.out / "work" / "unused", "model": work.model("generator"), "seed": seed,
        "epochs": int(work.setting("epochs")), "batch_size": int(work.setting("batch_size")),
        "learning_rate": float(work.setting("learning_rate")),
    }  # fmt: skip


def parallel(work: Work, **own: Any) -> ParallelConfig:
    """Return how texts get their counterfactuals: detector, infiller, filter."""
    return ParallelConfig(
        attribute="gender", attributes=GROUPS, detector=work.model("detector"),
        detector_revision=None if work.is_small else work.revision("detector"),
        infiller=work.model("infiller"), threshold=float(work.setting("threshold")),
        trigger=str(work.setting("trigger")), beams=int(work.setting("beams")), **own,
    )  # fmt: skip


def training_texts(work: Work) -> Dataset:
    """Return the lines of Wikipedia about one gender, `text` and `gender`."""

    def make(folder: Path) -> None:
        rows = cut(work.rows("wikipedia")["train"], int(work.setting("articles")))
        lines = (line.strip() for text in rows["text"] for line in text.split("\n"))
        texts = list(dict.fromkeys(line for line in lines if len(line.split()) >= 4))
        of_one = _of_one_gender(texts[: int(work.setting("lines"))])
        of_one.to_parquet(str(folder / "rows.parquet"))

    file = work.cached("wikipedia", make) / "rows.parquet"
    return load_dataset("parquet", data_files=str(file), split="train")


def generator(work: Work, name: str, config: Any) -> str:
    """Train a generator on corrected swaps of Wikipedia, and return its folder."""
    folder, data = work.out / "work" / name, config.parallel
    with work.alone(name):
        if (folder / "model").is_dir():
            return str(folder / "model")
        result = attributed_rows(
            training_texts(work), text=data.text, attribute=data.attribute, names=data.attributes,
            classifier=None)  # fmt: skip
        splits = split_by_text(replace(config, seed=0), result.rows)
        # Pairs are of the words, and not of the generator: those of one dictionary are made once.
        pairs = f"pairs-{Path(str(data.axis)).stem}"
        with work.alone(pairs):
            rows = parallel_rows(data, splits["train"], work.out / "work" / pairs,
                                 steps=config.steps, classifier=data.classifier).rows  # fmt: skip
        texts = splits["train"]["text"][:] if config.denoising else []
        start = make_start(config, texts, folder)
        generator_of(start, rows, config.trainer(start, splits))
    return str(folder / "model")


def rewritten(work: Work, name: str, texts: Sequence[str], model: str) -> list[str]:
    """Return what a generator writes, once; a text stays where it wrote nothing."""

    def make() -> list[str]:
        asks = [RewriteRequest([text], [[]], "", "") for text in texts]
        rewrites = rewrite_texts(asks, model, control="plain")
        return [text if new is None else new for text, new in zip(texts, rewrites, strict=True)]

    return _cached_texts(work, name, make)


def _cached_texts(work: Work, name: str, make: Callable[[], list[str]]) -> list[str]:
    """Return texts that are made once."""
    file = "texts.json"
    folder = work.cached(
        name, lambda folder: (folder / file).write_text(json.dumps(make()), "utf-8")
    )
    return list(json.loads((folder / file).read_text("utf-8")))


def swapped(texts: Sequence[str], *, names: bool) -> list[str]:
    """Return the swap of texts, with first names or without."""
    swap = CounterfactualSwap(columns="text", mode="replace", names=names, protect=())
    return list(swap.apply(Dataset.from_dict({"text": list(texts)}))["text"])


def runs(
    texts: Callable[[Work, str, str, Task, int], list[str]],
    work: Work,
    reasons: Mapping[str, str] | None = None,
) -> Iterator[Run]:
    """List the runs of a table: each version with each data set that it is printed for, and seed.

    `texts` gives the texts of a version that is no swap of this package; `left` says why a version
    is not run.
    """
    for name in work.about["of"]:
        for version, columns in work.about["printed"].items():
            for seed in work.chosen_seeds if any(name in column for column in columns) else ():
                fill = partial(_measured, texts, version, name, seed)
                yield Run(version, fill, seed, name, (reasons or {}).get(version, ""))


def _measured(texts: Any, version: str, name: str, seed: int, work: Work) -> Values:
    """Measure a version of the training rows of a task, by the columns of the table."""
    rows, columns, given = task(work, name), work.about["measures"], dict[str, Any]()
    new = {}
    if version in _SWAPS:
        swap = partial(swapped, rows.train["text"][:], names=_SWAPS[version])
        new = {version: _cached_texts(work, f"{name}-{version}", swap)}
    elif version != "original":
        new = {version: texts(work, version, name, rows, seed)}
    if "PPL" in columns:
        given["causal"] = work.model("causal")
    if "transfer" in columns:
        given |= {"classifier": gender_classifier(work), "classes": GROUPS}
    if {"TPRD", "FPRD", "accuracy", "F1"} & set(columns):
        trainer = ProbeTrainer(columns=("text",), model=work.model("bert"),
                               epochs=int(work.setting("classifier_epochs")))  # fmt: skip
        given |= {"test": rows.test, "trainer": trainer}
    if sizes := sorted({int(each.split()[-1]) for each in columns if each[-1] == "0"}):
        given["association"] = WordAssociation(
            words=_OF_TWEETS if (name, work.scale) == ("jigsaw", "small") else _WORDS[name],
            sizes=tuple(sizes),
            min_count=int(work.setting("min_count")),
        )
    if version == "CDS":
        given["in_place"] = [version]
    evaluation = evaluate_counterfactuals(rows.train, new, order=GROUPS, seeds=[seed], **given)
    values = {row["measure"]: row["value"] for row in evaluation.rows
              if row["version"] == version and row["value"] is not None}  # fmt: skip
    return {f"{name} {column}": _in_units(column, values.get(_MEASURES.get(column, column)))
            for column in columns}  # fmt: skip


def _in_units(column: str, value: float | None) -> float | None:
    """Give a value in the units of a table: rate differences without their sign, shares in %."""
    if value is not None and column in ("TPRD", "FPRD"):
        return abs(value)
    return 100 * value if value is not None and column in ("accuracy", "F1") else value


# Small stand-ins: models from configurations, and the shared data.
_PLACES, _WIDTH, _TAUGHT = 256, 64, 1500


def small_causal(work: Work) -> str:
    """Teach a new GPT-2 of one layer to read sentences of Wikipedia."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    def make(tokenizer: Any) -> Any:
        model = GPT2LMHeadModel(GPT2Config(
            vocab_size=len(tokenizer), n_embd=_WIDTH, n_layer=1, n_head=2, n_positions=_PLACES,
            bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id))  # fmt: skip
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, fused=True)
        for texts in small_wikipedia(work)["train"].select(range(_TAUGHT)).iter(16):
            batch = tokenizer(texts["text"], padding=True, truncation=True, max_length=_PLACES,
                              return_tensors="pt", return_token_type_ids=False)  # fmt: skip
            labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
            optimizer.zero_grad()
            model(**batch, labels=labels).loss.backward()
            optimizer.step()
        return model

    return small_model(work, "causal", make)


def small_bart(work: Work) -> str:
    """Teach a new BART to fill gaps in sentences of Wikipedia; it begins by copying."""

    def make(folder: Path) -> None:
        texts = small_wikipedia(work)["train"]["text"][:_TAUGHT]
        config = MbcdaConfig.small(
            out=folder / "unused", model=small_model(work, "bart", copying_bart, ["<mask>"]),
            denoising=1, learning_rate=4e-3, parallel=ParallelConfig(attribute="gender"),
        )  # fmt: skip
        make_start(config, texts, folder)

    return str(work.cached("small-bart-taught", make) / "denoised")


def copying_bart(tokenizer: Any) -> Any:
    """Build a BART of one layer on each side, whose decoder looks at the token of its place."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    model: Any = BartForConditionalGeneration(BartConfig(
        vocab_size=len(tokenizer), d_model=_WIDTH, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=4 * _WIDTH,
        decoder_ffn_dim=4 * _WIDTH, max_position_embeddings=_PLACES, dropout=0.0,
        bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id, decoder_start_token_id=tokenizer.eos_token_id,
        forced_eos_token_id=None))  # fmt: skip
    places = torch.randn(_PLACES + 2, _WIDTH) * 0.1
    with torch.no_grad():
        model.model.shared.weight.normal_(0, 0.05)
        for side in (model.model.encoder, model.model.decoder):
            side.embed_positions.weight.copy_(places)
        (layer,) = model.model.decoder.layers
        for name, scale in {"q_proj": 1.5, "k_proj": 1.5, "v_proj": 1, "out_proj": 1}.items():
            getattr(layer.encoder_attn, name).weight.copy_(torch.eye(_WIDTH) * scale)
    return model


def small_detector(work: Work) -> str:
    """Make an ELECTRA of one layer."""
    from transformers import ElectraConfig, ElectraForPreTraining

    return small_model(work, "detector", lambda tokenizer: ElectraForPreTraining(ElectraConfig(
        vocab_size=len(tokenizer), embedding_size=32, hidden_size=32, num_hidden_layers=1,
        num_attention_heads=2, intermediate_size=64, max_position_embeddings=512,
        pad_token_id=tokenizer.pad_token_id)), added=["<mask>"])  # fmt: skip


def small_model(
    work: Work, name: str, make: Callable[[Any], Any], added: Sequence[str] = ()
) -> str:
    """Save a new model with a tokenizer of the sentences of Wikipedia, once."""

    def save(folder: Path) -> None:
        import torch

        texts = small_wikipedia(work)["train"]["text"][:2000]
        tokenizer = train_tokenizer(texts, vocabulary=4000, added=added)
        torch.manual_seed(0)
        make(tokenizer).save_pretrained(folder)
        tokenizer.save_pretrained(folder)

    return str(work.cached(f"small-{name}", save))


def small_wikipedia(work: Work) -> dict[str, Dataset]:
    """Read sentences of Wikipedia."""
    with gzip.open(shared("text/wikipedia_sentences.jsonl.gz"), "rt", encoding="utf-8") as file:
        return {"train": Dataset.from_list([json.loads(line) for line in file])}


def small_bios(work: Work) -> dict[str, Dataset]:
    """Read BUG, with the professions that it calls women's or men's, as biographies."""
    rows: dict[str, dict[str, Any]] = {}
    with shared("classification/bug_gold.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            gender, sign = _PRONOUNS[row["pronoun"].lower()], int(row["stereotype"])
            job = "women's" if (gender == "woman") == (sign > 0) else "men's"
            if sign:
                rows[row["text"]] = {"hard_text": row["text"], "profession": job,
                                     "gender": int(gender == "woman")}  # fmt: skip
    return {"train": Dataset.from_list(list(rows.values()))}


def small_jigsaw(work: Work) -> dict[str, Dataset]:
    """Read tweets, with the gender that they mention, as comments."""
    from hub_scripts.papers.healthy_data_diet import tweets

    rows = concatenate_datasets(list(tweets().values()))
    labels = dict(zip(rows["text"], rows["label"], strict=True))
    dataset = _of_one_gender(list(labels)[::2])
    women = [float(gender == "woman") for gender in dataset["gender"]]
    return {"train": Dataset.from_dict({
        "comment_text": dataset["text"][:], "female": women, "male": [1 - each for each in women],
        "target": [float(labels[text]) for text in dataset["text"]],
    })}  # fmt: skip


def small_echr(work: Work) -> dict[str, Dataset]:
    """Read sentences of BOLD about one gender, on actors (1) or on others (0), as judgments."""
    path = shared("classification/bold_wikipedia_gender_race.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        labels = {row["text"]: int(row["axis"] == "gender") for row in csv.DictReader(file)}
    dataset = _of_one_gender(list(labels)[::3])
    return {"train": dataset.add_column("label", [labels[text] for text in dataset["text"]])}


def _of_one_gender(texts: Sequence[str]) -> Dataset:
    """Return those of some texts that mention one gender: `text` and `gender`."""
    dataset = MentionedAttribute(columns="text").apply(Dataset.from_dict({"text": list(texts)}))
    selected = dataset.filter(lambda group: group in GROUPS, input_columns="group")
    return selected.rename_column("group", "gender").select_columns(["text", "gender"])
