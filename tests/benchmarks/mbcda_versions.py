"""The versions of a corpus that the MBCDA experiment compares: swaps, and six trained generators.

All generators start from one model, and those of one seed share one discriminator. Each piece is
kept in the folder `out` when it is done.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from datasets import Dataset

from fair_datasets import CounterfactualSwap, ModelRewrite, load_lexicon, pair_split
from fair_datasets.generation.writing import Ask
from fair_datasets.mbcda.config import ABLATIONS, MbcdaConfig
from fair_datasets.mbcda.generator import Start, discriminator_of, generator_of, prepared
from fair_datasets.rewriter_training.parallel import (
    COUNTERFACTUAL,
    Parallel,
    infilling,
    masking,
    parallel_rows,
)
from fair_datasets.rewriter_training.rows import attributed_rows
from fair_datasets.rewriter_training.writing import written
from fair_datasets.scores.resuming import write_file

OWNER = "mbcda.py"
MBCDA = {name: f"MBCDA {number} {name}" for number, name in enumerate(ABLATIONS, start=1)}
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class System:
    """What generators are trained on and with.

    Attributes:
        config: The settings; `out` is the folder of all pieces.
        rows: The texts with their gender that pairs are made of.
        seeds: The seeds of the trainings.
    """

    config: MbcdaConfig
    rows: Dataset
    seeds: Sequence[int]

    @property
    def out(self) -> Path:
        """The folder of all pieces."""
        return Path(self.config.out)

    def splits(self) -> Any:
        """Return the rows, split as `train_mbcda` splits them."""
        data = self.config.parallel
        found = attributed_rows(
            self.rows, text=data.text, attribute=data.attribute, names=data.attributes,
            classifier=data.classifier, owner=OWNER,
        )  # fmt: skip
        return pair_split(found.rows, self.config.sizes, seed=0, pair_column="text")

    def pairs(self, steps: str) -> Parallel:
        """Return the pairs after a step."""
        data = self.config.parallel
        return parallel_rows(
            data, self.splits()["train"], self.out / "parallel", steps=steps,
            classifier=str(data.classifier), owner=OWNER,
        )  # fmt: skip

    def start(self, seed: int) -> Start:
        """Return what the trainings of a seed begin with."""
        config = replace(self.config, seed=seed)
        return prepared(config, [], self.out / f"seed-{seed}", owner=OWNER)

    def generator(self, ablation: str, seed: int) -> Path:
        """Train a generator, unless it is there, and return its folder."""
        folder = self.out / f"seed-{seed}" / ablation / "model"
        if folder.is_dir():
            return folder
        print(f"training {MBCDA[ablation]}, seed {seed}", flush=True)
        start, chosen = self.start(seed), ABLATIONS[ablation]
        discriminator = None
        if chosen.discriminated:
            splits = self.splits()
            discriminator, held_out = discriminator_of(start, splits["train"], splits["validation"])
            print(f"its discriminator: {held_out}", flush=True)
        own = start._replace(
            config=replace(start.config, ablation=ablation), work=start.work / ablation
        )
        generator_of(own, self.pairs(chosen.steps).rows, discriminator)
        return folder

    def generators(self) -> Iterator[tuple[str, int, Path]]:
        """Give each generator with its ablation and its seed."""
        for ablation in ABLATIONS:
            for seed in self.seeds:
                yield ablation, seed, self.generator(ablation, seed)


def kept(file: Path, make: Callable[[], Any]) -> Any:
    """Return data that are made once, and read from their file from then on."""
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, json.dumps(make(), ensure_ascii=False).encode())
    return json.loads(file.read_text("utf-8"))


@cache
def _dictionary() -> Mapping[str, str]:
    """Return the lexicon as a plain dictionary, in which each word has one counterpart."""
    found: dict[str, str] = {"her": "his", "his": "her", "him": "her", "hers": "his"}
    for entry in load_lexicon("gender").entries:
        for own, other in (("man", "woman"), ("woman", "man")):
            if entry.forms.get(own) and entry.forms.get(other):
                for form in entry.forms[own]:
                    if form.is_read:
                        found.setdefault(form.text.lower(), entry.forms[other][0].text)
    return found


def word_by_word(text: str) -> str:
    """Swap words by a dictionary that reads nothing around them, as plain dictionaries do."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        new = _dictionary().get(word.lower())
        if new is None:
            return word
        if len(word) > 1 and word.isupper():
            return new.upper()
        return new.capitalize() if word[0].isupper() else new

    return _WORD.sub(other, text)


def swaps(texts: Sequence[str], seeds: Sequence[int]) -> dict[str, Any]:
    """Return the versions that dictionaries write: name to texts, of CDS to those of each seed."""
    rows = Dataset.from_dict({"text": list(texts)})

    def swap(**options: Any) -> list[str]:
        return CounterfactualSwap(columns="text", **options).apply(rows)["text"][:]

    return {
        "swapped": [word_by_word(text) for text in texts],
        "CDA1": swap(mode="replace"),
        "CDA2": swap(mode="replace", names=False),
        "CDS": [swap(mode="substitute", seed=seed) for seed in seeds],
    }


def repaired(texts: Sequence[str], others: Sequence[str], system: System) -> list[dict[str, Any]]:
    """Mask and fill what is wrong in counterfactuals: the rows with what was done to them."""
    rows = Dataset.from_dict({"text": list(texts), COUNTERFACTUAL: list(others)})
    parallel = system.config.parallel
    return infilling(parallel).apply(masking(parallel).apply(rows)).to_list()


def generated(texts: Sequence[str], model: Path) -> list[str]:
    """Return what a generator writes, unverified; a text stays where it wrote nothing."""
    asks = [Ask([text], [[]], "", "") for text in texts]
    found = written(asks, str(model), control="plain", owner=OWNER)
    return [text if new is None else new for text, new in zip(texts, found, strict=True)]


def verified(texts: Sequence[str], model: Path) -> tuple[list[str], dict[str, int]]:
    """Return a generator's verified rewrites, and how many rows are what, or fell back for what.

    A row that falls back is swapped. "reworded" are those in which a stretch changed that our
    reader explains by no mention.
    """
    rewrite = ModelRewrite(
        columns="text", model=str(model), control="plain", mode="replace", fallback="swap"
    )
    rows = rewrite.apply(Dataset.from_dict({"text": list(texts)}))
    statuses = Counter(status or "nobody mentioned" for status in rows["rewrite_status"])
    faults = Counter(fault for fault in rows["rewrite_fault"] if fault)
    return rows["text"][:], {**dict(statuses), **dict(faults.most_common())}
