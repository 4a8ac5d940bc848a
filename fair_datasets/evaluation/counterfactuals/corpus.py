"""The originals and their versions, read and checked before anything is measured."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fair_datasets.measures import inputs
from fair_datasets.rows import column_checks
from fair_datasets.rows.columns import refuse_nulls
from fair_datasets.rows.given import one_dataset, texts_of
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, listed

if TYPE_CHECKING:
    from datasets import Dataset

OWNER = "evaluate_counterfactuals"
ORIGINAL = "original"
"""What the originals are called in the table."""


@dataclass(frozen=True)
class Corpus:
    """Texts and their versions.

    Attributes:
        versions: Name to the texts of each seed, or of one list for all seeds; the first is that of
            the originals.
    """

    texts: list[str]
    versions: dict[str, list[list[str]]]
    in_place: frozenset[str]
    seeds: tuple[int, ...]

    def stands_alone(self, version: str) -> bool:
        """Tell whether what is trained on a version is not trained on the originals as well."""
        return version == ORIGINAL or version in self.in_place

    def lists(self) -> Iterator[tuple[str, int, list[str]]]:
        """Give each list of texts once, with its version and the first seed that it is for."""
        for name, several in self.versions.items():
            for number, texts in enumerate(several):
                yield name, self.seeds[number], texts

    def training_texts(self) -> Iterator[tuple[str, int, list[str], int]]:
        """Give what is trained on for each version and seed.

        Yields:
            The version, the seed, the texts, and how often each original row stands among them:
            once, or twice for originals with their counterfactuals behind them.
        """
        for name, several in self.versions.items():
            for number, seed in enumerate(self.seeds):
                texts = several[number if len(several) > 1 else 0]
                if self.stands_alone(name):
                    yield name, seed, texts, 1
                else:
                    yield name, seed, [*self.texts, *texts], 2


def read_corpus(
    originals: "Dataset",
    versions: Mapping[str, Any],
    *,
    column: str,
    in_place: Collection[str],
    seeds: Sequence[int],
) -> Corpus:
    """Read the texts, or raise."""
    texts = read_texts(originals, column, owner=OWNER)
    numbers = _seeds(seeds)
    if not isinstance(versions, Mapping):
        raise InputError(
            f"{OWNER}: versions must map names to texts, but it is a {type(versions).__name__}."
        )
    read = {ORIGINAL: [texts]}
    for name, given in versions.items():
        if not isinstance(name, str) or not name.strip() or name == ORIGINAL:
            raise InputError(
                f"{OWNER}: a version must have a name other than {ORIGINAL!r}, but one is {name!r}."
            )
        read[name] = _version(name, given, len(texts), numbers)
    alone = checks.strings(in_place, owner=OWNER, parameter="in_place")
    for name in alone:
        checks.one_of(name, versions, owner=OWNER, parameter="in_place")
    return Corpus(texts, read, frozenset(alone), numbers)


def read_texts(rows: Any, column: str, *, owner: str) -> list[str]:
    """Return the texts of a column of a dataset that has rows, or raise."""
    dataset = one_dataset(rows, owner=owner, rows=True)
    column_checks.column_name(column, owner=owner, parameter="column")
    column_checks.present([column], dataset.column_names, owner=owner)
    return inputs.texts(texts_of(dataset, column), f"column {column!r}", owner=owner)


def read_labels(rows: "Dataset", column: str, *, owner: str) -> list[int]:
    """Return the labels 0 and 1 of a column, both of which must occur."""
    column_checks.present([column], rows.column_names, owner=owner)
    values = inputs.binary(
        rows.with_format(None)[column][:], f"column {column!r}", owner=owner
    ).astype(int)
    found: list[int] = values.tolist()
    if len(set(found)) < 2:
        raise InputError(
            f"{owner}: all rows have the label {found[0]} in column {column!r}, so no classifier "
            "can be trained or tested; give rows of both labels."
        )
    return found


def read_groups(rows: "Dataset", column: str, *, owner: str) -> list[Any]:
    """Return the group of each row, or raise; the names of those that are a `ClassLabel`."""
    from datasets import ClassLabel

    column_checks.present([column], rows.column_names, owner=owner)
    values = list(rows.with_format(None)[column][:])
    refuse_nulls(values, f"column {column!r}", owner=owner)
    kind = rows.features[column]
    if not isinstance(kind, ClassLabel):
        return values
    return [kind.int2str(value) for value in values]


def is_blank(text: str) -> bool:
    """Tell whether a text has nothing but spaces, which is not measured."""
    return not text.strip()


def _version(name: str, given: Any, rows: int, seeds: Sequence[int]) -> list[list[str]]:
    """Return the lists of texts of a version, each as long as the originals."""
    owner = f"{OWNER}, version {name!r}"
    if isinstance(given, str | Mapping) or not hasattr(given, "__getitem__"):
        raise InputError(
            f"{owner}: it must be a list or a column of texts, one for each original, but it is a "
            f"{type(given).__name__}."
        )
    if hasattr(given, "column_names"):
        raise InputError(f"{owner}: it is a dataset; give one of its columns, "
                         f"{listed(given.column_names)}.")  # fmt: skip
    several = list(given[:])
    first = next(iter(several), "")
    if isinstance(first, str) or not hasattr(first, "__getitem__"):
        several = [several]
    if len(several) not in (1, len(seeds)):
        raise InputError(
            f"{owner}: it has {len(several)} lists of texts, but there are {len(seeds)} seeds; "
            "give one list for each seed, or one for all."
        )
    read = []
    for seed, texts in zip(seeds, several, strict=False):  # One list is for all seeds.
        whose = f"{owner}, seed {seed}" if len(several) > 1 else owner
        if len(texts) != rows:
            raise InputError(
                f"{whose}: it has {len(texts):,} texts, but there are {rows:,} originals; give one "
                "for each, in their order."
            )
        read.append(inputs.texts(list(texts), "texts", owner=whose))
    return read


def _seeds(given: Any) -> tuple[int, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not len(given):
        raise InputError(f"{OWNER}: seeds must be a list of whole numbers, but it is {given!r}.")
    seeds = tuple(checks.whole_number(seed, owner=OWNER, parameter="seeds") for seed in given)
    if min(seeds) < 0 or len(set(seeds)) < len(seeds):
        raise InputError(f"{OWNER}: seeds must be at least 0 and differ, but they are {given!r}.")
    return seeds
