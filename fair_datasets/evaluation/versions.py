"""Originals and versions, checked before anything is measured; twins and controls of rows."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.measures import inputs
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import refuse_nulls
from fair_datasets.rows.draws import row_key
from fair_datasets.rows.given import one_dataset, texts_of
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import Placebos, placebos_of
from fair_datasets.swap.rewriting import Rewriter, Rows
from fair_datasets.system import checks
from fair_datasets.system.checks import (
    caller_name,
    counted,
    error_context,
    format_choices,
    invalid,
    with_article,
)
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset


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
        """Whether what is trained on a version is not trained on the originals as well."""
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
    texts = read_texts(originals, column)
    numbers = _seeds(seeds)
    if not isinstance(versions, Mapping):
        raise invalid(
            f"versions must map names to texts, but it is {with_article(type(versions).__name__)}."
        )
    read = {ORIGINAL: [texts]}
    for name, given in versions.items():
        if not isinstance(name, str) or not name.strip() or name == ORIGINAL:
            raise invalid(
                f"a version must have a name other than {ORIGINAL!r}, but one is {name!r}."
            )
        with error_context(f"{caller_name()}, version {name!r}"):
            read[name] = _version(given, len(texts), numbers)
    alone = checks.strings(in_place, parameter="in_place")
    for name in alone:
        checks.one_of(name, versions, parameter="in_place")
    return Corpus(texts, read, frozenset(alone), numbers)


def read_texts(rows: Any, column: str) -> list[str]:
    """Return the texts of a column of a dataset that has rows, or raise."""
    dataset = one_dataset(rows, rows=True)
    column_checks.column_name(column, parameter="column")
    column_checks.present([column], dataset.column_names)
    return inputs.texts(texts_of(dataset, column), f"column {column!r}")


def read_labels(rows: "Dataset", column: str) -> list[int]:
    """Return the labels 0 and 1 of a column, both of which must occur."""
    column_checks.present([column], rows.column_names)
    values = inputs.binary(rows.with_format(None)[column][:], f"column {column!r}").astype(int)
    labels: list[int] = values.tolist()
    if len(set(labels)) < 2:
        raise invalid(
            f"all rows have the label {labels[0]} in column {column!r}, so no classifier "
            "can be trained or tested; give rows of both labels."
        )
    return labels


def read_groups(rows: "Dataset", column: str) -> list[Any]:
    """Return the group of each row, or raise; the names of those that are a `ClassLabel`."""
    from datasets import ClassLabel

    column_checks.present([column], rows.column_names)
    values = list(rows.with_format(None)[column][:])
    refuse_nulls(values, f"column {column!r}")
    kind = rows.features[column]
    if not isinstance(kind, ClassLabel):
        return values
    return [kind.int2str(value) for value in values]


def is_blank(text: str) -> bool:
    """Whether a text has nothing but spaces, which is not measured."""
    return not text.strip()


def _version(given: Any, rows: int, seeds: Sequence[int]) -> list[list[str]]:
    """Return the lists of texts of a version, each as long as the originals."""
    if isinstance(given, str | Mapping) or not hasattr(given, "__getitem__"):
        raise invalid(
            f"it must be a list or a column of texts, one for each original, but it is "
            f"{with_article(type(given).__name__)}."
        )
    if hasattr(given, "column_names"):
        raise invalid(f"it is a dataset; give one of its columns, "
                      f"{format_choices(given.column_names, checks.FEW)}.")  # fmt: skip
    several = list(given[:])
    first = next(iter(several), "")
    if isinstance(first, str) or not hasattr(first, "__getitem__"):
        several = [several]
    if len(several) not in (1, len(seeds)):
        raise invalid(
            f"it has {len(several)} lists of texts, but there {'is' if len(seeds) == 1 else 'are'} "
            f"{counted(len(seeds), 'seed')}; give one list for each seed, or one for all."
        )
    read = []
    for seed, texts in zip(seeds, several, strict=False):  # One list is for all seeds.
        with error_context(f"{caller_name()}, seed {seed}" if len(several) > 1 else caller_name()):
            if len(texts) != rows:
                raise invalid(
                    f"it has {counted(len(texts), 'text')} for {counted(rows, 'original')}; "
                    "give one for each, in their order."
                )
            read.append(inputs.texts(list(texts), "texts"))
    return read


def _seeds(given: Any) -> tuple[int, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not len(given):
        raise invalid(f"seeds must be a list of whole numbers, but it is {given!r}.")
    seeds = tuple(checks.whole_number(seed, parameter="seeds") for seed in given)
    if min(seeds) < 0 or len(set(seeds)) < len(seeds):
        raise invalid(f"seeds must be at least 0 and differ, but they are {given!r}.")
    return seeds


TWIN = "twin"


class Version(NamedTuple):
    """A version of a row.

    Attributes:
        variant: `original`, `twin`, or a half of a control: `control` and `control_twin`, in a
            further draw `control_2` and `control_twin_2`. The halves of a control have other words
            in the places that the twin changes, and are compared with each other.
    """

    variant: str
    texts: Row


class Versions(NamedTuple):
    """The versions of a row that has a twin.

    Attributes:
        direction: 1 where the original is of the first of two attributes and the twin of the
            second, -1 the other way round; 0 where a row mentions both, or the axis has more.
    """

    direction: int
    versions: list[Version]


def twins_of(
    rows: Sequence[Row], technique: Technique, *, draws: int = 1, seed: int = 0
) -> dict[int, Versions]:
    """Write the twins of rows, and their controls.

    Duplicates, and rows that are each other's twins, are one row: the first. Only a
    `CounterfactualSwap` of one axis has controls, as they need to know which words it changes.
    """
    if not isinstance(technique, Rewriter):
        raise invalid(
            "the technique must be a Rewriter such as CounterfactualSwap, but it is a "
            f"{type(technique).__name__}."
        )
    if not isinstance(technique, CounterfactualSwap) or len(technique.axes) > 1:
        keys = [row_key(row) for row in rows]
        first: dict[int, Versions] = {}
        for number, new in technique.rewrite(Rows(rows, keys)):
            if new.texts != rows[number]:
                both = [Version(ORIGINAL, rows[number]), Version(TWIN, new.texts)]
                first.setdefault(number, Versions(0, both))
        return first
    filled = [tuple(text or "" for text in row) for row in rows]
    placebos = placebos_of(filled, technique, count=draws, seed=seed)
    return _of_swap(rows, placebos, technique) if placebos.rows else {}


def _of_swap(
    rows: Sequence[Row], placebos: Placebos, swap: CounterfactualSwap
) -> dict[int, Versions]:
    """Order the versions of the rows that a swap changes."""
    plan = swap.plan(swap.axes[0])
    has_direction = len(plan) <= 2 and all(len(others) == 1 for others in plan.values())
    drawn = [
        iter(list(zip(*placebos.placebo_versions(draw), strict=True)))
        for draw in range(placebos.draws)
    ]
    versions = {}
    for row, has_control, *own in zip(
        placebos.rows, placebos.controlled, *placebos.versions(), strict=True
    ):
        second = len(placebos.attributes) == 2 and row.attribute == 1
        direction = (-1 if second else 1) if has_direction and row.attribute >= 0 else 0
        named = [(ORIGINAL, TWIN, tuple(own))]
        for draw, pairs in enumerate(drawn if has_control else (), 1):
            last = f"_{draw}" if draw > 1 else ""
            named.append((f"control{last}", f"control_twin{last}", next(pairs)))
        texts = rows[row.number]
        several = [
            Version(name, _with_nulls(texts, new))
            for first, other, both in named
            for name, new in zip((first, other), both[::-1] if second else both, strict=True)
        ]
        versions[row.number] = Versions(direction, several)
    return versions


def _with_nulls(texts: Row, new: Sequence[str]) -> Row:
    """Return new texts with null where the row has null."""
    return tuple(None if old is None else each for old, each in zip(texts, new, strict=True))
