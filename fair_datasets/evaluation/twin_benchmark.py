"""A benchmark and its counterfactual twin as two configurations, and the tasks that ask for both.

The tasks are those of `eval.yaml`, by which inspect-ai runs a benchmark of the Hub.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.evaluation.versions import ORIGINAL, TWIN, twins_of
from fair_datasets.rows import column_checks
from fair_datasets.rows.draws import FAMILY, family_ids
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError, invalid

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features

PAIR = "pair"
"""The column with the number of a question, which its versions share."""
CONTROLS = ("control", "control_twin")
"""The splits of the twins' configuration with the halves of the control."""
SOLVERS = ("generate", "multiple_choice", "chain_of_thought", "self_critique")
SCORERS = ("choice", "match", "includes", "exact", "f1", "answer", "math")


class Fields(NamedTuple):
    """The columns of a benchmark that a task reads.

    Attributes:
        choices: A column of lists, or several columns of texts; none for questions without.
    """

    input: str
    target: str
    choices: tuple[str, ...] = ()

    def swapped(self, features: "Features") -> tuple[str, ...]:
        """Return the texts that are swapped together: the answer too, where it is a text."""
        lists = [f"{name}[]" if _is_list(features[name]) else name for name in self.choices]
        return (self.input, *(lists or [self.target]))

    def spec(self, features: "Features") -> dict[str, Any]:
        """Return the `field_spec` of a task."""
        spec: dict[str, Any] = {"input": self.input, "target": self.target}
        if self.choices:
            is_list = len(self.choices) == 1 and _is_list(features[self.choices[0]])
            spec["choices"] = self.choices[0] if is_list else list(self.choices)
        return {**spec, "metadata": [FAMILY, PAIR]}


class TwinBenchmark(NamedTuple):
    """What is published.

    Attributes:
        configurations: "original" and "twin", each with its splits.
        counts: How many questions there are, have a twin, and have a control; and of how many only
            the answers would change, so that they have no twin.
    """

    configurations: "dict[str, DatasetDict]"
    counts: dict[str, int]


def twin_benchmark(
    rows: "Dataset", split: str, fields: Fields, swap: CounterfactualSwap, *, control: bool = False
) -> TwinBenchmark:
    """Return a benchmark, and the versions of its questions about other people.

    Args:
        rows: The questions.
        split: The name of their split.
        fields: The columns that a task reads.
        swap: What rewrites them; its columns are those of `Fields.swapped`.
        control: Whether the twins have the halves of the control beside them, see
            `fair_datasets.evaluation.versions.Version`.

    Raises:
        InputError: A field is not text, or no question has a twin.
    """
    from datasets import DatasetDict

    read = {name.removesuffix("[]") for name in swap.columns}
    texts = swap.texts({name: rows[name][:] for name in read})
    every = twins_of(texts.rows, swap, seed=swap.seed).items()
    written = {number: dict(each.versions) for number, each in every}
    # Of the same question only another answer would be right: "Who reigned? The king."
    twins = {number: each for number, each in written.items()
             if each[TWIN][0] != each[ORIGINAL][0]}  # fmt: skip
    if not twins:
        raise invalid(
            f"no row has a twin on the axis {swap.axes[0]!r}: {fields.input!r} and the "
            "answers hold no word that is swapped."
        )
    families = family_ids(rows, swap.columns)

    def version(name: str, numbers: Sequence[int]) -> "Dataset":
        new = [texts.written(each, twins[each][name]) for each in numbers if name != ORIGINAL]
        changed = {key: [each[key] for each in new] for key in (new[0] if new else ())}
        beside = {FAMILY: [families[each] for each in numbers], PAIR: list(numbers)}
        return _with_columns(rows.select(numbers), {**beside, **changed})

    parts = {split: version(TWIN, list(twins))}
    controlled = [number for number, each in twins.items() if CONTROLS[0] in each]
    if control and controlled:
        parts |= {name: version(name, controlled) for name in CONTROLS}
    counts = {"questions": len(rows), "twins": len(twins), "controls": len(controlled),
              "answers": len(written) - len(twins)}  # fmt: skip
    originals = version(ORIGINAL, range(len(rows)))
    return TwinBenchmark(
        {ORIGINAL: DatasetDict({split: originals}), TWIN: DatasetDict(parts)}, counts
    )


def _with_columns(rows: "Dataset", values: Mapping[str, list[Any]]) -> "Dataset":
    """Put columns in the place of others, or behind them; what is not named is not decoded."""
    from datasets import Value

    added = {FAMILY: Value("string"), PAIR: Value("int64")}
    features = {**added, **rows.features}
    order = [*rows.column_names, *(name for name in added if name not in rows.column_names)]
    for name, column in values.items():
        # One by one, as a dataset without columns has no rows.
        rows = rows.remove_columns([name] if name in rows.column_names else [])
        rows = rows.add_column(name, column, feature=features[name])
    return rows.select_columns(order)


def tasks_of(
    benchmark: TwinBenchmark,
    spec: Mapping[str, Any],
    solvers: Sequence[str],
    scorers: Sequence[str],
) -> list[dict[str, Any]]:
    """Return the tasks of `eval.yaml`: one for the original, one for each split of the twins."""
    places = [
        (config if split not in CONTROLS else split, config, split)
        for config, splits in benchmark.configurations.items()
        for split in splits
    ]
    return [
        {
            "id": name, "config": config, "split": str(split), "field_spec": deepcopy(spec),
            "solvers": [{"name": each} for each in solvers],
            "scorers": [{"name": each} for each in scorers],
        }
        for name, config, split in places
    ]  # fmt: skip


def check_fields(rows: "Dataset", fields: Fields) -> None:
    """Raise unless inspect-ai can ask about each row: by a text, choices and what is right."""
    features = rows.features
    column_checks.present([fields.input, fields.target, *fields.choices], list(features))
    if PAIR in features:
        raise invalid(
            f"the column {PAIR!r} exists already and would be overwritten; rename it first."
        )
    several = len(fields.choices) > 1
    for name in (fields.input, *fields.choices):
        is_list = name in fields.choices and not several and _is_list(features[name])
        if not (is_list or _is_text(features[name])):
            raise _no_text(name, features[name])
    target = features[fields.target]
    if not _is_text(target) and not (fields.choices and _is_number(target)):
        raise _no_text(fields.target, target)
    read = rows.select_columns([fields.input, fields.target, *fields.choices])
    for number, row in enumerate(read):
        for name in (fields.input, *fields.choices, fields.target):
            if row[name] in (None, "", []) or (isinstance(row[name], list) and None in row[name]):
                raise InputError(
                    f"{_at(name, number)} is empty, and inspect-ai would score every answer to it; "
                    "leave out the row."
                )
        if fields.choices:
            _check_key(row, number, fields)


def _check_key(row: Mapping[str, Any], number: int, fields: Fields) -> None:
    """Raise unless the target is the number or the letter of a choice."""
    first = row[fields.choices[0]]
    count = len(first) if isinstance(first, list) else len(fields.choices)
    key = row[fields.target]
    letters = ascii_uppercase[:count]
    is_one = key in range(len(letters)) if isinstance(key, int) else key in [*letters]
    if not is_one:
        raise InputError(
            f"{_at(fields.target, number)} holds {key!r}, but with {count} choices it has to be a "
            f"letter from A to {letters[-1]} or a number from 0 to {len(letters) - 1}."
        )


def _at(name: str, number: int) -> str:
    return f"column {name!r}, row {number} (counted from 0)"


def _no_text(name: str, feature: Any) -> InputError:
    return invalid(
        f"column {name!r} holds {feature}, and not text, which is all that a task of eval.yaml "
        "asks with; name another column, or write the texts into one."
    )


def _is_text(feature: Any) -> bool:
    return getattr(feature, "dtype", "") in ("string", "large_string")


def _is_number(feature: Any) -> bool:
    return "int" in str(getattr(feature, "dtype", ""))


def _is_list(feature: Any) -> bool:
    return _is_text(getattr(feature, "feature", None))
