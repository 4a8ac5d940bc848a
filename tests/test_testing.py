"""Tests of `check_technique`: it passes what keeps the contract, else it names the broken rule.

Each broken technique is `Upper`, which keeps the contract, with one fault.
"""

import itertools
import math
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import datasets
import pytest
from datasets import ClassLabel, Features, Value

import fair_datasets
from fair_datasets import InputError, testing
from fair_datasets.rows import column_checks
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.technique import Technique
from fair_datasets.technique.contract import Batch
from fair_datasets.testing import check_technique, same

BATCH: dict[str, list[Any]] = {"text": ["He ran.", "Rain."], "label": [0, 1]}
FEATURES = Features({"text": Value("string"), "label": ClassLabel(names=["no", "yes"])})
COUNTER = itertools.count()
Rows = dict[str, Any]
Fault = Callable[[Batch, Callable[[Batch], Rows]], Rows]


@dataclass(frozen=True, kw_only=True)
class Upper(Technique):
    """Writes texts in capitals, and keeps the contract."""

    columns: tuple[str, ...] = ("text",)

    def process(self, batch: Batch) -> Any:
        """Write the texts in capitals."""
        texts = {column: column_checks.texts(batch, column) for column in self.columns}
        result = {column: list(values) for column, values in batch.items()}
        for column in self.columns:
            result[column] = [text and text.upper() for text in texts[column]]
        return result


@dataclass(frozen=True, kw_only=True)
class InConversations(Technique):
    """Writes the texts of conversations in capitals, and keeps the contract."""

    columns: tuple[str, ...] = ("talk[].text",)

    def process(self, batch: Batch) -> Any:
        """Write the texts in capitals."""
        texts = RowTexts.read(batch, self.columns)
        rows = [[text and text.upper() for text in row] for row in texts.rows]
        talks = [texts.written(k, tuple(row))["talk"] for k, row in enumerate(rows)]
        return {**{column: list(values) for column, values in batch.items()}, "talk": talks}


@dataclass(frozen=True, kw_only=True)
class Column(Technique):
    """Adds the length of one text column, given by position, and keeps the contract."""

    column: str = field(default="text", kw_only=False)

    def features(self, features: Features) -> Features:
        """Add the new column."""
        return Features({**features, "length": Value("float64")})

    def process(self, batch: Batch) -> Rows:
        """Add the lengths: NaN for nulls."""
        texts = column_checks.texts(batch, self.column)
        lengths = [float("nan") if text is None else float(len(text)) for text in texts]
        return {**{column: list(values) for column, values in batch.items()}, "length": lengths}


@dataclass(frozen=True, kw_only=True)
class Twice(Upper):
    """Adds a row in capitals behind each row, and keeps the contract."""

    def process(self, batch: Batch) -> Rows:
        """Add the rows."""
        upper = super().process(batch)
        return {
            column: [
                value for pair in zip(batch[column], upper[column], strict=True) for value in pair
            ]
            for column in batch
        }


@dataclass(frozen=True, kw_only=True)
class IsShort(Upper):
    """Keeps short texts, and the contract."""

    method: ClassVar[Literal["map", "filter"]] = "filter"

    def process(self, batch: Batch) -> Any:
        """Return which rows to keep."""
        texts = column_checks.texts(batch, self.columns[0])
        return [text is not None and len(text) < 6 for text in texts]


@dataclass(frozen=True, kw_only=True)
class LabelIsOne(Technique):
    """Keeps the rows of one class: a filter without a text column."""

    method: ClassVar[Literal["map", "filter"]] = "filter"

    column: str = "label"

    def process(self, batch: Batch) -> list[bool]:
        """Return which rows to keep."""
        return [value == 1 for value in batch[self.column]]


def with_texts(change: Callable[[Any], Any]) -> Fault:
    """Return what changes the texts in capitals once more."""
    return lambda batch, upper: {**upper(batch), "text": [*map(change, upper(batch)["text"])]}


def as_they_are(batch: Batch) -> Rows:
    """Return the rows of a batch."""
    return {column: list(values) for column, values in batch.items()}


def refused_curtly(batch: Batch, upper: Callable[[Batch], Rows]) -> Rows:
    """Do not say which row is wrong."""
    if all(text is None or isinstance(text, str) for text in batch["text"]):
        return upper(batch)
    raise InputError("'text' is wrong.")


# What is done in place of writing a batch in capitals, by what is told of it.
FAULTS: dict[str, Fault] = {
    "it does not return the columns ['label'].":
        lambda batch, upper: {"text": upper(batch)["text"]},
    "it returns column 'label' not as a list.":
        lambda batch, upper: {**upper(batch), "label": tuple(batch["label"])},
    "it returns columns of different lengths [2, 3].":
        lambda batch, upper: {**upper(batch), "text": [*upper(batch)["text"], "One more."]},
    "batches of 1 give another result than one batch.":
        lambda batch, upper: with_texts(
            lambda text: text and f"{text}{len(batch['text'])}")(batch, upper),
    "batches of 3 give another result than one batch.":
        lambda batch, upper: (as_they_are if len(batch["text"]) == 3 else upper)(batch),
    "the order of the rows changes a row's result.":
        lambda batch, upper: (
            as_they_are if len(batch["text"]) > 1 and batch["text"][0] == "" else upper)(batch),
    "a second call gives another result.":
        with_texts(lambda text: text and f"{text}{next(COUNTER)}"),
    "numpy columns give another result than lists.":
        lambda batch, upper: (upper if isinstance(batch["text"], list) else as_they_are)(batch),
    "its result differs in a process with PYTHONHASHSEED=":
        with_texts(lambda text: text and f"{text}{hash(text)}"),
    "it fails on nulls or empty texts: AttributeError(":
        with_texts(lambda text: text.upper()),
    "it fails on nulls or empty texts: IndexError(":
        with_texts(lambda text: text if text is None else text[0]),
    "it fails on an empty batch: IndexError(":
        lambda batch, upper: upper(batch) if batch["text"][0] != "?" else {},
    "an empty batch gives rows.":
        lambda batch, upper: (
            upper(batch) if len(batch["text"]) else {"text": ["A ROW."], "label": [0]}),
    "it does not keep column 'text': None becomes [''].":
        with_texts(lambda text: text or ""),
    "it does not keep column 'label': 0 becomes [1].":
        lambda batch, upper: {**upper(batch), "label": [1 - label for label in batch["label"]]},
    "an added row stands before its origin: ['HE RAN.', 'He ran.'] for 'He ran.'":
        lambda batch, upper: {
            column: [value for pair in zip(values, batch[column], strict=True) for value in pair]
            for column, values in upper(batch).items()},
    "it accepts a number as column 'text'.":
        lambda batch, upper: upper(
            {**batch, "text": [text if text is None else str(text) for text in batch["text"]]}),
    "it refuses a number as column 'text' by AttributeError(":
        lambda batch, upper: {
            **as_they_are(batch), "text": [text and text.upper() for text in batch["text"]]},
    "its refusal of a number as column 'text' does not name ['3', '987654321']: 'text'":
        refused_curtly,
    "it accepts a batch without column 'text'.":
        lambda batch, upper: (upper if "text" in batch else as_they_are)(batch),
    "it fails on datasets' map or filter: ":
        lambda batch, upper: {**upper(batch), "more": [1 for _ in batch["text"]]},
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Faulty(Upper):
    """Has one of `FAULTS`."""

    fault: str

    def process(self, batch: Batch) -> Rows:
        """Do what is wrong."""
        return FAULTS[self.fault](batch, super().process)


def variant(name: str, base: type[Technique] = Upper, **members: Any) -> Callable[..., Any]:
    """Return a technique with a fault, as a class of this module: its fields are of a type each."""
    fields = [(key, of, field(default=value)) for key, (of, value) in members.pop("of", {}).items()]
    namespace = {"__module__": __name__, **members}
    made: type[Technique] = make_dataclass(
        name, fields, bases=(base,), namespace=namespace, frozen=True, kw_only=True
    )
    globals()[name] = made
    return made


def writes_into_the_batch(self: Upper, batch: Any) -> Rows:
    """Write into what is given."""
    result: Rows = Upper.process(self, batch)
    batch["text"][:] = result["text"]
    return result


def orders_by_hash(self: Upper) -> None:
    """Order the words of a field as each process does for itself."""
    Technique.__post_init__(self)
    object.__setattr__(self, "words", tuple(sorted(self.words, key=hash)))


def counts_calls(self: Any, batch: Batch) -> Rows:
    """Change a field by being used."""
    object.__setattr__(self, "calls", self.calls + 1)
    result: Rows = Upper.process(self, batch)
    return result


def keeps_an_object(self: Any, batch: Batch) -> Rows:
    """Keep an object on the instance."""
    vars(self)["model"] = object()
    result: Rows = Upper.process(self, batch)
    return result


def configured(change: Callable[[dict[str, Any]], object]) -> Callable[[Upper], dict[str, Any]]:
    """Return a configuration whose parameters were changed."""

    def config(self: Upper) -> dict[str, Any]:
        found = Technique.config(self)
        change(found["parameters"])
        return found

    return config


def takes_letters_for_rows(self: Upper, batch: Any) -> Any:
    """Take the letters of a single text for rows."""
    if isinstance(batch.get("text"), str):
        return {"text": [letter.upper() for letter in batch["text"]]}
    return Technique.__call__(self, batch)


@dataclass(frozen=True, kw_only=True)
class MakesNoTable(Upper):
    """Returns a dictionary for a table."""

    def __call__(self, batch: Any) -> Any:
        """Return it."""
        result = super().__call__(batch)
        return result if isinstance(result, dict) else result.to_pydict()


@dataclass(frozen=True, kw_only=True)
class RoundsNumbers(Upper):
    """Returns a table in which large numbers have lost their last digits."""

    def __call__(self, batch: Any) -> Any:
        """Return it."""
        result = super().__call__(batch)
        if isinstance(result, dict):
            return result
        last = result.num_columns - 1
        floats = result.column(last).cast("float64", safe=False)
        return result.set_column(last, result.column_names[last], floats)


def loses_features(self: Upper, features: Features) -> Features:
    """Make numbers of the class labels."""
    return Features({name: Value("int64" if name == "label" else "string") for name in features})


class NotFrozen(Upper):
    """Is no dataclass of its own, so that attributes can be added."""


@dataclass(frozen=True)
class PositionalField(Upper):
    """Has a field that can be given by position."""

    words: str = ""


WORDS = {"words": (str, "")}


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other processes import this module by the name that pytest gave it."""
    monkeypatch.syspath_prepend(Path(__file__).parents[__name__.count(".")])


KEEPING = [Column(), Upper(columns=("text", "other")), Upper(), Twice(), IsShort(), LabelIsOne()]


@pytest.mark.parametrize("technique", KEEPING, ids=lambda technique: type(technique).__name__)
def test_a_technique_that_keeps_the_contract_passes(
    technique: Technique, request: pytest.FixtureRequest
) -> None:
    """Maps and filters that keep the contract pass, whatever else the dataset holds."""
    # Of a filter the other process is asked, and of a map by the example of the checker.
    if technique is not KEEPING[-1]:
        request.getfixturevalue("in_this_process")
    batch = {**BATCH, "other": ["a", None], "score": [float("nan"), 1.5], "tags": [["a"], None]}
    check_technique(technique, batch)


@pytest.mark.usefixtures("in_this_process")
def test_features_are_taken_as_given() -> None:
    """Class labels may be given by their names, as `Dataset.from_dict` takes them."""
    check_technique(Upper(), {**BATCH, "label": ["no", "yes"]}, FEATURES)


BROKEN = [
    *((Faulty(fault=told), told) for told in FAULTS),
    (variant("Mutates", process=writes_into_the_batch)(),
     "it changes the batch that it is given."),
    (variant("PassesOn", process=lambda self, batch: {
        **Upper.process(self, batch), "label": batch["label"]})(),
     "it returns column 'label' not as a list."),
    (variant("HashOrder", of={"words": (tuple[str, ...], tuple("abcdefghijkl"))},
             __post_init__=orders_by_hash)(),
     "its fingerprint differs in a process with PYTHONHASHSEED="),
    (variant("HasSet", of={"words": (frozenset[str], frozenset({"a", "b"}))})(),
     "its field 'words' holds a frozenset, not strings, numbers, booleans, "),
    (variant("HasList", of={"words": (tuple[Any, ...], (["a"],))})(),
     "its field 'words' holds a tuple, not strings, numbers, booleans, "),
    (NotFrozen(), "it is not frozen."),
    (PositionalField(), "its field 'words' is not keyword-only, as all but columns and column"),
    (variant("LacksField", of=WORDS, config=configured(lambda found: found.pop("words")))(
        words="a"), "it fails on its own configuration: InputError("),
    (variant("ChangesField", of=WORDS, config=configured(
        lambda found: found.update(words="")))(words="a"),
     "its configuration does not rebuild it."),
    (variant("LacksDigests", __post_init__=lambda self: None,
             resources=lambda self: {"this": Path(__file__)})(),
     "it lacks the digests of its resources."),
    (variant("CachesMember", process=keeps_an_object)(), "it keeps ['model'] beside its fields."),
    (variant("CountsCalls", of={"calls": (int, 0)}, process=counts_calls)(),
     "its use changes its fingerprint."),
    (variant("AcceptsOneRow", __call__=takes_letters_for_rows)(),
     "it accepts one row in place of a batch."),
    (variant("HidesItsMethod", IsShort, method="map")(),
     "it returns which rows to keep, but its method is 'map'."),
    (variant("IsNoFilter", __call__=lambda self, batch: dict(self.process(batch).items()))(),
     "`filter` takes what it returns for a mask; override `process`, not `__call__`"),
    (variant("AppliesOtherwise", apply=lambda self, dataset, **options: Technique.apply(
        self, dataset.select(range(1)), **options))(), "apply gives another result than a call."),
    (variant("LosesFeatures", features=loses_features)(),
     "it does not keep the features of ['label']."),
    (variant("KeepsByNumber", IsShort, process=lambda self, batch: [
        keep if row == 0 else int(keep) for row, keep in enumerate(IsShort.process(self, batch))
    ])(), "it does not return one bool per row."),
    (variant("KeepsTooFew", IsShort, process=lambda self, batch: [
        *IsShort.process(self, batch)[:-1]])(), "it does not return one bool per row."),
    (MakesNoTable(), "an Arrow table does not become one."),
    (RoundsNumbers(), "a column of an Arrow table that it does not read loses its type."),
    (Upper(columns=("txet",)),
     "it fails on the batch: InputError(\"Upper: there is no column 'txet"),
]  # fmt: skip


def test_a_column_with_a_null_is_one_of_texts() -> None:
    """Whose rules are checked."""
    told = "it accepts a number as column 'text'."
    with pytest.raises(AssertionError, match=told):
        check_technique(Faulty(fault=told), {**BATCH, "text": ["He ran.", None]})


@pytest.mark.usefixtures("in_this_process")
def test_texts_inside_lists_and_objects() -> None:
    """Such a column may be written anew, and all others are kept as beside columns of texts."""
    batch = {"talk": [[{"text": "He ran.", "n": 3}], []], "label": [0, 1]}
    check_technique(InConversations(), batch)


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        # The last digits of float32, large and small.
        (3.0, 3.000003, True),
        (3e-6, 0.0, True),
        (3.0, 3.0003, False),
        (3e-4, 0.0, False),
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        (1.0, None, False),
        (["a", 1.0], ["a", 1.0 + 1e-9], True),
        ([1], [1, 2], False),
        ([1, 2], [1, 3], False),
        ([1], {0: 1}, False),
        ({"a": [1], "b": [2]}, {"b": [2], "a": [1]}, True),
        ({"a": [1], "b": [2]}, {"a": [1], "b": [3]}, False),
        ({"a": [1]}, {"a": [1], "b": [2]}, False),
        ({"a": [1]}, ["a"], False),
    ],
)
def test_results_are_the_same_but_for_last_digits(left: Any, right: Any, is_same: bool) -> None:
    """Whatever they hold, on whichever side."""
    assert same(left, right) == same(right, left) == is_same


@pytest.mark.parametrize(("technique", "fault"), BROKEN, ids=lambda each: type(each).__name__)
def test_a_broken_rule_is_named(technique: Technique, fault: str) -> None:
    """A technique with one fault fails, in a sentence that says which rule it breaks."""
    with pytest.raises(AssertionError) as caught:
        check_technique(technique, BATCH, FEATURES)
    assert str(caught.value).startswith(f"The contract is broken: {fault}")


def test_a_class_within_a_function_is_refused() -> None:
    """A worker process or a card cannot find a class that has no place in a module."""

    @dataclass(frozen=True, kw_only=True)
    class Local(Upper):
        """Is out of reach."""

    with pytest.raises(AssertionError, match="its class cannot be imported by name"):
        check_technique(Local(), BATCH)


def test_a_missed_cache_is_told() -> None:
    """A second run that does the work again is a fault; here `datasets` is told to do so."""
    datasets.disable_caching()
    try:
        with pytest.raises(AssertionError, match="a second run misses the cache of the first"):
            check_technique(Upper(), BATCH)
    finally:
        datasets.enable_caching()


def test_a_dataset_is_no_batch() -> None:
    """What has to be given is said."""
    dataset = datasets.Dataset.from_dict({"text": ["He ran.", "Rain."]})
    with pytest.raises(InputError, match=r"but it is a Dataset; of a dataset give some rows"):
        check_technique(fair_datasets.CounterfactualSwap(columns="text"), dataset)  # type: ignore[arg-type]


@pytest.mark.parametrize(("own", "other"), [(None, "0"), ("0", "1"), ("7", "0")])
def test_the_other_process_has_another_hash_seed(
    own: str | None, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where this one has the seed that it would be given."""
    if own is None:
        monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    else:
        monkeypatch.setenv("PYTHONHASHSEED", own)
    seeds = []

    def run(*_: Any, env: dict[str, str], **__: Any) -> Any:
        seeds.append(env["PYTHONHASHSEED"])
        return subprocess.CompletedProcess([], 0, stdout="", stderr="")

    monkeypatch.setattr(testing.subprocess, "run", run)
    testing.check_another_process()
    assert seeds == [other]
