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

from fair_datasets import CounterfactualSwap, ModelRewrite, load_lexicon
from fair_datasets.generation.writing import Ask
from fair_datasets.mbcda.config import ABLATIONS, MbcdaConfig
from fair_datasets.mbcda.train import discriminator_of, pulled_by
from fair_datasets.report import markdown_table
from fair_datasets.rewriter_training.generator.start import Start, generator_of, prepared
from fair_datasets.rewriter_training.generator.train import apart
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
VERIFIED = f"{MBCDA['full']}, verified"
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
        return apart(self.config, found.rows)

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
        trainer = None if discriminator is None else pulled_by(discriminator, own.config)
        generator_of(own, self.pairs(chosen.steps).rows, trainer)
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


def verified(
    texts: Sequence[str], model: Path, names: bool | None = None
) -> tuple[list[str], dict[str, int]]:
    """Return a generator's verified rewrites, and how many rows are what, or fell back for what.

    All mentions are asked for. A row that falls back is swapped.
    """
    rewrite = ModelRewrite(
        columns="text", names=names, model=str(model), control="plain", mode="replace",
        fallback="swap",
    )  # fmt: skip
    rows = rewrite.apply(Dataset.from_dict({"text": list(texts)}))
    statuses = Counter(status or "nobody mentioned" for status in rows["rewrite_status"])
    faults = Counter(fault for fault in rows["rewrite_fault"] if fault)
    return rows["text"][:], {**dict(statuses), **dict(faults.most_common())}


def verified_by_seed(
    texts: Sequence[str], system: System, out: Path, names: bool | None = None
) -> list[Any]:
    """Return what `verified` does for the full system of each seed; each is made once."""
    found = []
    for seed in system.seeds:
        model = system.generator("full", seed)
        file = out / f"verified-{seed}.json"
        found.append(kept(file, lambda model=model: verified(texts, model, names)))
    return found


def verification_report(title: str, found: Sequence[Any], seeds: Sequence[int]) -> str:
    """Write how many rows passed verification, and why the others did not, for each seed."""
    counts = [each for _, each in found]
    names = list(dict.fromkeys(name for each in counts for name in each))
    rows = [
        {"rows": name}
        | {f"seed {seed}": each.get(name, 0) for seed, each in zip(seeds, counts, strict=True)}
        for name in names
    ]
    return f"""## Verification: {title}

{markdown_table(rows)}

`model`: its rewrite passed; `swap`: it did not, and the swap stands in its place; below stands why.
`reworded`: a stretch changed that our reader explains by none of the mentions, such as a name that
is in no list.
"""


def discriminator_report(rows: Sequence[Mapping[str, Any]], seeds: Sequence[int]) -> str:
    """Write what the discriminator changes: each system with it less the one without, by seed."""
    values = {(row["version"], row["seed"], row["measure"]): row["value"] for row in rows}
    names = list(MBCDA.values())
    pairs = list(zip(names[::2], names[1::2], strict=True))
    table = []
    for measure in ("transfer accuracy", "perplexity"):
        for one, other in pairs:
            less = [values[one, seed, measure] - values[other, seed, measure] for seed in seeds]
            cells = {f"seed {seed}": each for seed, each in zip(seeds, less, strict=True)}
            mean = sum(less) / len(less)
            table.append({"measure": measure, "of": f"{one} less {other}", **cells, "mean": mean})
    return f"## What the discriminator changes\n\n{markdown_table(table)}"
