"""Dolci, Azzalini and Tanelli: bias scores of sentences; encoders of a corrected SNLI judged."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict

from fair_datasets.evaluation.trained import WordAssociation, word2vec
from fair_datasets.models.load import load_word_vectors
from fair_datasets.models.word_pairs import hard_debias
from fair_datasets.scores.bias.bias_score import BiasScore
from fair_datasets.scores.bias.states import sentence_direction
from fair_datasets.scores.bilstm.train import SentenceEncoderConfig, train_sentence_encoder
from fair_datasets.selection.correction import correct
from fair_datasets.swap.counterfactual import CounterfactualSwap
from hub_scripts.encoders.encoder_tasks import SENTENCE_TESTS, EncoderTask, open_encoder
from hub_scripts.encoders.encoders import evaluate_encoders
from hub_scripts.papers.frame import Paper, Run, Values, Work, cut, each_printed, minilm, shared
from hub_scripts.papers.panda import reviews, similar
from hub_scripts.papers.rewriters import small_wikipedia

# The sentence of tables 2 and 12.
_EXAMPLE = "She likes the new pink dress"
_INFERENCE = ("premise", "hypothesis")
_SENTENCE, _PAIR = ("text",), ("sentence1", "sentence2")
_TASKS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    **{name: (title, "text", _SENTENCE) for name, title in {
        "mr": "MR", "cr": "CR", "subj": "SUBJ", "mpqa": "MPQA", "trec": "TREC", "sst2": "SST-2",
        "sst5": "SST-5"}.items()},
    "stsb": ("STS-B", "similarity", _PAIR), "sickr": ("SICK-R", "similarity", _PAIR),
    "sicke": ("SICK-E", "pair", _PAIR), "sts14": ("STS14", "cosine", _PAIR),
    "mrpc": ("MRPC", "pair", _PAIR),
}  # fmt: skip
_POLES = {"female": "woman", "male": "man"}


def _score(work: Work) -> BiasScore:
    """Return what scores sentences: GloVe and InferSent, or the states of SBERT."""
    names = bool(work.setting("names"))
    if "glove" in work.about["data"]:
        return BiasScore(columns="text", vectors=work.file("glove"),
                         encoder=work.model("infersent"), names=names, explain=True)  # fmt: skip

    def make(folder: Path) -> None:
        (rows,) = [split for name, split in work.rows("sentences").items() if name == "train"]
        pairs = CounterfactualSwap(columns="text", mode="pair", protect=()).apply(rows)
        gender_direction = sentence_direction(pairs, work.model("sbert"), pooling="max")
        gender_direction.save(folder / "direction.safetensors")

    direction = work.cached("direction", make) / "direction.safetensors"
    return BiasScore(columns="text", encoder=work.model("sbert"), direction=direction,
                     names=names, explain=True)  # fmt: skip


def _explained(text: str, work: Work) -> tuple[list[Mapping[str, Any]], dict[str, float]]:
    """Return the words of a sentence, and its female and its male part."""
    score = _score(work)
    row = score({"text": [text]})
    parts = {side: float(row[f"bias_score_{pole}"][0]) for side, pole in _POLES.items()}
    return row["bias_score_words"][0], parts


def _word(word: str, work: Work) -> Values:
    """Give the importance, the cosine and the product of a word of the sentence, or its sum."""
    words, parts = _explained(_EXAMPLE, work)
    if word in parts:
        return {"product": parts[word]}
    (entry,) = [each for each in words if each["word"] == word]
    return {"importance": 100 * entry["importance"], "cosine": entry["cosine"],
            "product": entry["product"]}  # fmt: skip


def _sentence(text: str, work: Work) -> Values:
    """Give the two parts of a sentence, or the larger of them where the paper prints one score."""
    parts = _explained(text, work)[1]
    if "score" not in work.about["printed"][text]:
        return parts
    return {"score": max(parts.values(), key=abs)}


def _printed_rows(fill: Callable[[str, Work], Values], work: Work) -> Iterator[Run]:
    """List a run for each row that the paper prints."""
    for row in work.about["printed"]:
        yield Run(row, partial(fill, row))


def _snli(work: Work) -> DatasetDict:
    """Return the labelled pairs of SNLI."""
    rows = DatasetDict(work.rows("snli"))
    return rows.filter(lambda label: label not in (-1, "-", None), input_columns="label")


def _corpus(name: str, vectors: str, seed: int, work: Work) -> DatasetDict:
    """Return the pairs of SNLI, corrected where the name says so."""
    rows = _snli(work)
    if not name.startswith(("Sub", "Aug")):
        return rows
    encoder = work.place("models", "infersent") or _encoder("original", vectors, seed, work)
    score = BiasScore(columns=_INFERENCE, vectors=vectors, encoder=encoder,
                      names=bool(work.setting("names")))  # fmt: skip
    scored = DatasetDict({split: score.apply(rows[split]) for split in ("train", "validation")})
    added = [each for each in scored["train"].column_names if each.startswith("bias_score")]
    swap = None if name.startswith("Sub") else {"protect": ()}
    result = correct(
        scored, columns=_INFERENCE, correction=name, label="label", seed=seed, swap=swap
    )
    assert isinstance(result.dataset, DatasetDict)
    return result.dataset.remove_columns(added)


def _encoder(name: str, vectors: str, seed: int, work: Work) -> str:
    """Train InferSent on a corpus, by its name, and return its folder."""
    key = f"{name}-{seed}"
    folder = work.out / "work" / key
    with work.alone(key):
        if (folder / "encoder").is_dir():
            return str(folder / "encoder")
        rows = _corpus(name, vectors, seed, work)
        config = SentenceEncoderConfig.preset(
            str(work.setting("preset")), out=folder, vectors=vectors, seed=seed,
            epochs=int(work.setting("epochs")),
        )  # fmt: skip
        return train_sentence_encoder(config, rows["train"], rows["validation"])


def _vectors(name: str, work: Work) -> str:
    """Return the file of the vectors that a row is trained with."""
    file = work.file("word2vec" if name.startswith("word2vec") else "glove")
    if not name.endswith("-HD"):
        return file

    def make(folder: Path) -> None:
        hard_debias(load_word_vectors(file)).save(folder / "vectors.npz")

    return str(work.cached(name, make) / "vectors.npz")


def _seat(name: str, seed: int, work: Work) -> Values:
    """Give the effect sizes of the encoder of a row, with the mean of the gender tests."""
    encoder = _encoder(name, _vectors(name, work), seed, work)
    results = evaluate_encoders({name: encoder}, tests=SENTENCE_TESTS).rows
    printed = work.about["printed"][name]
    values = {row["test"]: row["value"] for row in results if row["measure"] == "effect size"}
    gender = [value for test, value in values.items() if test in printed and test[1] in "678"]
    return {**{test: values[test] for test in printed if test in values},
            "mean": sum(gender) / len(gender)}  # fmt: skip


def _given(work: Work) -> list[str]:
    """Return the tasks of SentEval whose rows are at hand."""
    return [name for name in _TASKS
            if work.place("data", name) or (work.is_small and name in PAPER.data)]  # fmt: skip


def _senteval(name: str, seed: int, work: Work) -> Values:
    """Give what probes reach on the encoder of a row, in per cent, and the mean of twelve."""
    most = int(work.setting("most_rows"))
    rows = {key: {split: cut(each, most) for split, each in work.rows(key).items()}
            for key in _given(work)}  # fmt: skip
    # Tasks refuse wrong rows, and do it before an encoder is trained for hours.
    tasks = [EncoderTask(name=_TASKS[key][0], kind=_TASKS[key][1], columns=_TASKS[key][2],
                         label="label", splits=splits)
             for key, splits in rows.items() if _TASKS[key][1] != "cosine"]  # fmt: skip
    encoder = _encoder(name, _vectors(name, work), seed, work)
    results = evaluate_encoders({name: encoder}, tests=(), tasks=tasks).rows if tasks else ()
    values: dict[str, float | None] = {
        row["test"]: None if row["value"] is None else 100 * row["value"]
        for row in results if row["measure"] in ("accuracy", "pearson")
    }  # fmt: skip
    if "sts14" in rows:
        read = open_encoder(encoder, batch_size=32)
        pairs = rows["sts14"]["test"]
        first, second = (read.vectors(pairs[column][:]) for column in _PAIR)
        lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        cosines = (first * second).sum(axis=1) / np.maximum(lengths, 1e-12)
        values["STS14"] = 100 * float(np.corrcoef(cosines, pairs["label"])[0, 1])
    known = [value for value in values.values() if value is not None]
    return {**values, "overall": sum(known) / len(known) if len(known) == len(_TASKS) else None}


def _probed(work: Work) -> Iterable[Run]:
    """List a run for each encoder that SentEval judges."""
    why = "" if _given(work) else "no task is given: give some, such as --data mr=DIR"
    return each_printed(_senteval, work, why)


def _small_snli(work: Work) -> dict[str, Dataset]:
    """Read the SNLI subset of the shared data."""
    splits = {}
    for split, name in {"train": "train", "validation": "dev", "test": "test"}.items():
        with shared(f"sentence_pairs/snli_subset_{name}.tsv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        columns = {"premise": "sentence1", "hypothesis": "sentence2", "label": "gold_label"}
        splits[split] = Dataset.from_dict(
            {new: [row[old] for row in rows] for new, old in columns.items()}
        )
    return splits


def _small_inference(work: Work) -> dict[str, Dataset]:
    """Read the SNLI subset, as pairs of sentences."""
    return {split: rows.rename_columns(dict(zip(_INFERENCE, _PAIR, strict=True)))
                       .filter(lambda label: label != "-", input_columns="label")
            for split, rows in _small_snli(work).items()}  # fmt: skip


def _small_sentences(work: Work) -> dict[str, Dataset]:
    """Read sentences of STS-B."""
    pairs = similar(work)["train"]
    several = zip(*(pairs[column] for column in _PAIR), strict=True)
    texts = dict.fromkeys(text for pair in several for text in pair)
    return {"train": Dataset.from_dict({"text": list(texts)[:2000]})}


def _twitter(work: Work) -> Path:
    """Return the small vectors."""
    return shared("vectors/glove_twitter_25d_12k.txt.gz")


def _word2vec(work: Work) -> Path:
    """Train word2vec on sentences of Wikipedia."""

    def make(folder: Path) -> None:
        texts = small_wikipedia(work)["train"]["text"][:]
        vectors = word2vec(texts, WordAssociation(min_count=2, skip_gram=True), 25, seed=0)
        load_word_vectors(vectors).save(folder / "vectors.npz")

    return work.cached("small-word2vec", make) / "vectors.npz"


_SENTENCES, _ENCODERS = partial(_printed_rows, _sentence), partial(each_printed, _seat)
PAPER = Paper(
    name="bias-score",
    tables={
        "2": partial(_printed_rows, _word), "3": _SENTENCES, "6": _ENCODERS, "7": _ENCODERS,
        "8": _probed, "11": _ENCODERS, "12": partial(_printed_rows, _word), "13": _SENTENCES,
        "B1": _SENTENCES, "B2": _SENTENCES,
    },
    models={"infersent": minilm, "sbert": minilm},
    data={"glove": _twitter, "word2vec": _word2vec, "snli": _small_snli,
          "sentences": _small_sentences, "mr": reviews, "stsb": similar,
          "sicke": _small_inference, "sts14": similar},
)  # fmt: skip
