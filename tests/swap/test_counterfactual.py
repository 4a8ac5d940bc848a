"""The counterfactual swap."""

import csv
import json
from collections import Counter
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from datasets import Dataset, Value, load_dataset

from fair_datasets import CounterfactualSwap, InputError, verify
from fair_datasets.reader.person import HEAD
from fair_datasets.rows import draws
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.row_results import telling_left
from tests.small_models import ask_the_nearest, save_person_model

# What of an axis and a target a text becomes. One that stays has an empty cell, and the reason:
# one of all, or behind "=" the only one.
GOLDEN = Path(__file__).parents[1] / "golden" / "swaps.tsv"
with GOLDEN.open(encoding="utf-8") as file:
    CASES = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _swapped(text: str, **options: Any) -> str:
    swap = CounterfactualSwap(columns="text", mode="replace", **options)
    return str(swap({"text": [text]})["text"][0])


@cache
def _golden_swap(options: str) -> CounterfactualSwap:
    return CounterfactualSwap(columns="text", mode="replace", **json.loads(options or "{}"))


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_golden_sentences(case: dict[str, str]) -> None:
    """Each reviewed sentence becomes its reviewed counterfactual, or stays for a reason."""
    swap, text = _golden_swap(case["options"]), case["text"]
    assert swap({"text": [text]})["text"] == [case["swapped"] or text]
    if case["reason"] or case["told"]:
        (row,) = swap.read(Rows([(text,)], [None]))
        assert row.counterfactual is None
        left = [each for reading in row.readings if reading for each in reading.left]
        rules, reason = {each.rule.split()[0] for each in left if each.rule}, case["reason"]
        assert not reason or f"rows.{reason.lstrip('=').lower()}" in rules
        assert reason[:1] != "=" or len({each.reason for each in left}) == 1
        assert case["told"] in ("", *(each.told for each in left))


def test_augment_puts_each_counterfactual_behind_its_origin() -> None:
    """CDA keeps every row, adds the changed ones' counterfactuals, and copies their labels."""
    swap = CounterfactualSwap(columns="text", family=False)
    batch = {"text": ["He ran.", None, "", "Rain.", "She ran."], "label": [1, 2, 3, 4, 5]}
    assert swap(batch) == {
        "text": ["He ran.", "She ran.", None, "", "Rain.", "She ran.", "He ran."],
        "label": [1, 1, 2, 3, 4, 5, 5],
    }


def test_keep_unchanged_gives_two_rows_for_each() -> None:
    """With keep_unchanged the result has the 2N rows of the papers."""
    swap = CounterfactualSwap(columns="text", keep_unchanged=True, family=False)
    assert swap({"text": ["He ran.", None]}) == {"text": ["He ran.", "She ran.", None, None]}


def test_replace_keeps_the_number_of_rows() -> None:
    """Replace gives one row for each, swapped where it can be."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": ["He ran.", "Rain."]}) == {"text": ["She ran.", "Rain."]}


def test_substitute_tosses_a_fair_coin_per_row() -> None:
    """CDS replaces about half of 2,000 distinct rows; the binomial's 6 sigma are 134."""
    texts = [f"He has {number} reasons." for number in range(2000)]
    swapped = CounterfactualSwap(columns="text", mode="substitute")({"text": texts})["text"]
    changed = sum(old != new for old, new in zip(texts, swapped, strict=True))
    assert abs(changed - 1000) < 134


@pytest.mark.parametrize(("rate", "swapped"), [(0.0, "He ran."), (1.0, "She ran.")])
def test_substitute_at_the_ends_of_the_rate(rate: float, swapped: str) -> None:
    """A rate of 0 replaces no row and a rate of 1 every row."""
    swap = CounterfactualSwap(columns="text", mode="substitute", rate=rate)
    assert swap({"text": ["He ran."]}) == {"text": [swapped]}


def test_the_coin_depends_on_seed_and_id_alone() -> None:
    """Another seed tosses other coins; with an id column the text does not matter."""
    texts = [f"He has {number} reasons." for number in range(200)]
    other = [f"His number is {number}." for number in range(200)]

    def coins(rows: list[str], **options: Any) -> list[bool]:
        swap = CounterfactualSwap(columns="text", mode="substitute", **options)
        result = swap({"text": rows, "id": list(range(200))})["text"]
        return [old != new for old, new in zip(rows, result, strict=True)]

    assert coins(texts) == coins(texts)
    assert coins(texts) != coins(texts, seed=1)
    assert coins(texts) != coins(other)
    assert coins(texts, id_column="id") == coins(other, id_column="id")


def test_columns_of_one_row_are_rewritten_together() -> None:
    """One coin for all columns, and a name that one column makes sure counts in the other."""
    swap = CounterfactualSwap(columns=("premise", "hypothesis"), mode="replace")
    batch = {"premise": ["Mark Smith ran."], "hypothesis": ["Mark was late to his party."]}
    assert swap(batch) == {
        "premise": ["Victoria Smith ran."],
        "hypothesis": ["Victoria was late to her party."],
    }


def test_provenance_traces_every_change() -> None:
    """The added columns say which row is a counterfactual, of what, and by which edits."""
    swap = CounterfactualSwap(columns="text", provenance=True, id_column="id")
    result = swap({"id": ["a", "b"], "text": ["He ran.", "Rain."]})
    edit = {"column": "text", "start": 0, "end": 2, "before": "He", "after": "She",
            "axis": "gender", "attribute": "woman", "after_start": 0, "after_end": 3}  # fmt: skip
    assert result["counterfactual"] == [False, True, False]
    assert result["family_id"] == ["a", "a", "b"]
    assert result["edits"] == [[], [edit], []]


def test_one_axis_may_stand_in_a_tuple() -> None:
    """The technique is the same."""
    one = CounterfactualSwap(columns="text", axis=("gender",))
    assert one == CounterfactualSwap(columns="text", axis="gender")


def test_an_axis_without_pairs_draws_a_target_per_row(tmp_path: Path) -> None:
    """On three unpaired attributes each other one is drawn about equally often, by the row."""
    path = tmp_path / "team.tsv"
    path.write_text("red\tgreen\tblue\tkind\nreds\tgreens\tblues\t\n", encoding="utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace")
    texts = [f"reds {number} reds" for number in range(600)]
    results = swap({"text": texts})["text"]
    words = [set(text.split()) - {str(number)} for number, text in enumerate(results)]
    assert all(len(found) == 1 for found in words)
    counts = Counter(found.pop() for found in words)
    assert counts.keys() == {"greens", "blues"}
    assert abs(counts["greens"] - 300) < 75


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"axis": "gendr"}, "but it is 'gendr'. Did you mean 'gender'?"),
        ({"mode": "cda"}, "mode must be one of 'augment', 'substitute', 'replace', 'pair'"),
        ({"mode": "pair", "provenance": True}, "mode='pair' leaves each as it is"),
        ({"target": "wommen"}, "target must be one of 'man', 'woman', 'non-binary'"),
        ({"source": "boy"}, "source must be one of"),
        ({"source": "man", "target": "man"}, "source and target are both 'man'"),
        ({"source": "non-binary"}, "'non-binary' has no counterpart"),
        ({"rate": 1.5}, "rate must be a number from 0 to 1, but it is 1.5"),
        ({"rate": 0.5}, "rate is the probability of mode='substitute', but mode is 'augment';"),
        ({"rate": 1, "mode": "pair"}, "but mode is 'pair'; leave it out, or choose that mode."),
        (
            {"keep_unchanged": True, "mode": "replace"},
            "keep_unchanged is for mode='augment', because ",
        ),
        ({"pronouns": "xe"}, "pronouns='xe' would never be written, because nobody becomes"),
        ({"pronouns": "xe", "axis": ("age", "gender")}, "add target='non-binary', or leave it out"),
        ({"pronouns": "xe", "target": "woman"}, "pronouns='xe' would never be written"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"names": 1}, "names must be True or False"),
        ({"columns": []}, "columns must name at least one column"),
        ({"id_column": 5}, "id_column must be a column name"),
        ({"axis": "missing.tsv"}, "missing.tsv"),
        ({"axis": None}, "axis must be a lexicon's name or the path of a .tsv file"),
        ({"axis": ("gender", "gender")}, "axis must name at least one axis and none twice"),
        ({"axis": ()}, "axis must name at least one axis and none twice"),
    ],
)
def test_wrong_parameters_are_named(options: dict[str, Any], sentence: str) -> None:
    """Each wrong parameter is refused in a sentence that names it, the value and what there is."""
    with pytest.raises(InputError) as caught:
        CounterfactualSwap(**{"columns": "text", **options})
    assert sentence in str(caught.value)


def test_columns_in_the_way_are_refused() -> None:
    """Provenance does not overwrite a column that exists already."""
    swap = CounterfactualSwap(columns="text", provenance=True)
    with pytest.raises(InputError, match="'edits' exists already and would be overwritten"):
        swap({"text": ["He ran."], "edits": [1]})


def test_a_missing_id_column_is_named() -> None:
    """The id column must exist."""
    swap = CounterfactualSwap(columns="text", id_column="idd")
    with pytest.raises(InputError, match=r"there is no column 'idd'.*Did you mean 'id'"):
        swap({"text": ["He ran."], "id": [1]})


def test_the_rate_is_half_unless_it_is_given() -> None:
    """Of `substitute` alone: another mode has no rate, and states none."""
    half = CounterfactualSwap(columns="text", mode="substitute")
    assert half.rate == 0.5
    assert half == CounterfactualSwap(columns="text", mode="substitute", rate=0.5)
    assert CounterfactualSwap(columns="text").config()["parameters"]["rate"] is None


def test_numpy_parameters_become_plain() -> None:
    """Numbers and bools of numpy make the same technique as Python's own."""
    options = {
        "mode": "substitute",
        "rate": np.float32(0.25),
        "seed": np.int64(3),
        "provenance": np.bool_(True),
    }
    swap = CounterfactualSwap(columns="text", names=np.bool_(False), **options)  # type: ignore[arg-type]
    plain = CounterfactualSwap(
        columns="text", names=False, mode="substitute", rate=0.25, seed=3, provenance=True
    )
    assert repr(swap) == repr(plain)
    assert swap.config() == plain.config()


@pytest.mark.parametrize("dataset_format", [None, "numpy", "torch"])
def test_one_row_is_refused_by_map(dataset_format: str | None) -> None:
    """Without `batched=True` no row is read letter by letter."""
    dataset = Dataset.from_dict({"text": ["He ran."], "id": [1]}).with_format(dataset_format)
    with pytest.raises(InputError, match=r"given one row, not a batch .*batched=True"):
        dataset.map(CounterfactualSwap(columns="text"))


def test_a_single_id_is_refused() -> None:
    """The id column of a single row is told before it is used."""
    swap = CounterfactualSwap(columns="text", id_column="id", mode="substitute")
    with pytest.raises(InputError, match=r"one row, not a batch \(column 'id' holds a single int"):
        swap({"text": ["He ran."], "id": 7})  # type: ignore[dict-item]


@pytest.mark.parametrize("dataset_format", ["arrow", "pandas"])
def test_a_dataset_of_tables_is_mapped(dataset_format: str) -> None:
    """A dataset whose batches are tables gives what any other gives, and keeps its features."""
    rows = {"text": ["He ran.", None, "It rains."], "id": [2**53 + 1, 2**53, 2**53 + 2]}
    dataset = Dataset.from_dict(rows)
    swap = CounterfactualSwap(columns="text", provenance=True, id_column="id")
    expected, features = swap(rows), swap.features(dataset.features)
    mapped = dataset.with_format(dataset_format).map(swap, batched=True, features=features)
    assert mapped.with_format(None)[:] == expected
    plain = CounterfactualSwap(columns="text", id_column="id", family=False)
    assert dataset.with_format("arrow").map(plain, batched=True).features == dataset.features


LARGE = [2**53 + 1, None, 2**53]
IDS = [
    ("int64", LARGE),
    ("uint64", [2**64 - 1, None, 2**64 - 2]),
    ("float64", [0.1, None, 0.2]),
    ("bool", [True, None, False]),
    ("string", ["1", None, "01"]),
    ("binary", [b"a\xff", None, b"a"]),
    ("timestamp[ns]", [1_577_836_800_000_000_001, None, 1_577_836_800_000_000_002]),
    ("timestamp[us, tz=UTC]", [1_577_836_800_000_001, None, 1_577_836_800_000_000]),
    ("decimal128(38, 2)", [Decimal("12345678901234567890.12"), None, Decimal("1.10")]),
]


@pytest.mark.parametrize(("kind", "values"), IDS, ids=[kind for kind, _ in IDS])
@pytest.mark.parametrize("dataset_format", [None, "arrow"])
def test_ids_keep_every_digit(kind: str, values: list[Any], dataset_format: str | None) -> None:
    """Whatever the type of the ids, beside a null too, no two rows share a family_id."""
    ids = pa.array(values, Value(kind).pa_type)
    dataset = Dataset(pa.table({"text": ["It rains."] * 3, "id": ids})).with_format(dataset_format)
    swap = CounterfactualSwap(columns="text", id_column="id", provenance=True)
    found = swap(dataset[:])["family_id"]
    assert len(set(found)) == 3
    assert found[1] == draws.row_key(["It rains."])
    if kind == "int64":
        assert found[::2] == ["9007199254740993", "9007199254740992"]


@pytest.mark.parametrize("dataset_format", ["numpy", "pandas", "torch"])
def test_ids_that_lost_digits_are_refused(dataset_format: str) -> None:
    """Where a format made floats of large integers beside a null, two ids may be one."""
    dataset = Dataset.from_dict({"text": ["It rains."] * 3, "id": LARGE})
    swap = CounterfactualSwap(columns="text", id_column="id", provenance=True)
    with pytest.raises(InputError, match=r"the id 9007199254740992\.0 as a float.*with_format"):
        dataset.with_format(dataset_format).map(swap, batched=True)


def test_a_ragged_batch_is_refused() -> None:
    """A column that is too short or too long is named with its length."""
    with pytest.raises(InputError, match="'text' has 2, 'label' has 1"):
        CounterfactualSwap(columns="text")({"text": ["He ran.", "Rain."], "label": [1]})


@pytest.mark.parametrize("dataset_format", ["numpy", "torch", "pandas"])
def test_the_format_of_a_dataset_does_not_change_the_draws(dataset_format: str) -> None:
    """An id tosses the same coin as a Python, numpy or torch value, and has the same family_id."""
    texts = [f"He has {number} reasons." for number in range(100)]
    dataset = Dataset.from_dict({"text": texts, "id": list(range(100))})
    swap = CounterfactualSwap(columns="text", mode="substitute", id_column="id", provenance=True)
    expected = swap(dataset[:])
    result = swap(dataset.with_format(dataset_format)[:])
    assert [str(text) for text in result["text"]] == expected["text"]
    assert result["family_id"] == expected["family_id"]


@pytest.mark.parametrize("null", [None, float("nan")])
def test_rows_without_an_id_are_keyed_by_their_texts(null: float | None) -> None:
    """Rows whose id is a null toss their own coins, and whole floats are the ids that they were."""
    texts = [f"He has {number} reasons." for number in range(200)]
    swap = CounterfactualSwap(columns="text", mode="substitute", id_column="id", provenance=True)
    by_text = CounterfactualSwap(columns="text", mode="substitute", provenance=True)
    result = swap({"text": texts, "id": [null] * 200})
    expected = by_text({"text": texts})
    assert result["text"] == expected["text"]
    assert result["family_id"] == expected["family_id"]
    assert swap({"text": ["He ran."], "id": [7.0]})["family_id"] == ["7"]


def test_real_tweets_keep_what_is_not_edited(data_directory: Path) -> None:
    """On real tweets each row's label stays, and swapped rows differ from their origin."""
    file = data_directory / "classification" / "twitter_sexism_valid.csv.gz"
    tweets = load_dataset("csv", data_files=str(file), split="train")
    swap = CounterfactualSwap(columns="text", provenance=True)
    twin = tweets.map(swap, batched=True, features=swap.features(tweets.features))
    originals = twin.filter(lambda row: not row["counterfactual"])
    assert originals["text"][:] == tweets["text"][:]
    assert originals["label"][:] == tweets["label"][:]
    labels = {row["family_id"]: row["label"] for row in originals}
    texts = {row["family_id"]: row["text"] for row in originals}
    added = twin.filter(lambda row: row["counterfactual"])
    assert 0.25 < len(added) / len(tweets) < 0.45
    assert all(row["label"] == labels[row["family_id"]] for row in added)
    assert all(row["text"] != texts[row["family_id"]] for row in added)


def test_a_long_row_is_swapped_whole() -> None:
    """A text of a million characters is swapped from its first to its last word."""
    text = "She said that he left. " * 45_000
    assert _swapped(text) == "He said that she left. " * 45_000


def test_dataset_features_are_kept() -> None:
    """Mapping keeps the features where neither families nor provenance are asked for."""
    dataset = Dataset.from_dict({"text": ["He ran."], "n": [1]})
    swapped = dataset.map(CounterfactualSwap(columns="text", family=False), batched=True)
    assert swapped.features == dataset.features


def test_pair_puts_the_counterfactual_beside_the_text() -> None:
    """The texts stay; where nothing changes the counterfactual equals the text; nulls stay."""
    pair = CounterfactualSwap(columns=("a", "b"), mode="pair")
    batch = {"a": ["He ran.", "Rain.", None], "b": ["Rain.", "Sun.", "A boy."], "label": [1, 0, 1]}
    assert pair(batch) == {
        **batch,
        "a_counterfactual": ["She ran.", "Rain.", None],
        "b_counterfactual": ["Rain.", "Sun.", "A girl."],
    }


def test_pair_states_its_features_and_overwrites_nothing() -> None:
    """A stream gets the features of the new columns; a column of that name is refused."""
    dataset = Dataset.from_dict({"text": ["He ran."]})
    pair = CounterfactualSwap(columns="text", mode="pair")
    stream = dataset.to_iterable_dataset().map(
        pair, batched=True, features=pair.features(dataset.features)
    )
    assert next(iter(stream)) == {"text": "He ran.", "text_counterfactual": "She ran."}
    with pytest.raises(InputError, match="'text_counterfactual' exists already"):
        pair({"text": ["He ran."], "text_counterfactual": ["She ran."]})


DOUBTFUL = "The report by Marusya says that she won."


@pytest.fixture
def _nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simple model."""
    ask_the_nearest(monkeypatch)


def rewritten(text: str, **options: Any) -> str:
    """Rewrite one text with the model."""
    swap = CounterfactualSwap("text", mode="replace", coreference="ada/who", **options)
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.usefixtures("_nearest")
def test_a_row_is_left_whose_pronoun_may_be_of_a_name_that_stays() -> None:
    """It is rewritten where the pronoun is somebody else's."""
    alone = CounterfactualSwap("text", mode="replace")({"text": [DOUBTFUL]})["text"][0]
    assert alone == "The report by Marusya says that he won."
    kept = "The report by Marusya says that the queen lost her hat."
    assert rewritten(kept) == "The report by Marusya says that the king lost his hat."


@pytest.mark.usefixtures("_nearest")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DOUBTFUL, "first name is on no list"),
        ("Stanley won his cup, now the Stanley Cup.", "the same word stays elsewhere in the row"),
    ],
)
def test_a_row_is_left_with_the_reason(text: str, reason: str) -> None:
    """Where a name would stay beside its pronoun, or change at one place only."""
    notes: dict[Any, str] = {}
    with telling_left(notes=notes):
        assert rewritten(text) == text
    assert reason in next(iter(notes.values()))


@pytest.mark.parametrize(
    ("options", "new"),
    [
        ({"target": "non-binary"}, "Stanley won the Stanley Cup, and they told the monarch."),
        ({"source": "woman"}, "Stanley won the Stanley Cup, and he told the king."),
        ({"names": False}, "Stanley won the Stanley Cup, and she told the king."),
    ],
)
def test_a_name_that_does_not_change_leaves_no_row(options: dict[str, Any], new: str) -> None:
    """Neither one without a counterpart, nor one of who stays, nor one that is not asked for."""
    text = "Stanley won the Stanley Cup, and he told the queen."
    swap = CounterfactualSwap("text", mode="replace", **options)
    assert swap({"text": [text]})["text"] == [new]


def test_the_model_is_a_part_of_the_configuration(tmp_path: Path) -> None:
    """And it is read as it was when the technique was made, before the first row."""
    folder = save_person_model(tmp_path / "who", DOUBTFUL.split())
    swap = CounterfactualSwap("text", mode="replace", coreference=folder)
    assert swap.config()["parameters"]["coreference"] == folder
    assert any(name.endswith(HEAD) for name in swap.config()["digests"])
    swap({"text": [DOUBTFUL]})
    Path(folder, HEAD).write_bytes(b"")
    with pytest.raises(InputError, match=r"has changed since the CounterfactualSwap was made"):
        swap({"text": ["Rain."]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coreference": "./no-such-folder"}, "there is no folder './no-such-folder'"),
        ({"coreference": "nowhere"}, "CounterfactualSwap: there is no folder 'nowhere'"),
        ({"coreference": 3}, "coreference must be the folder or Hub id of a model"),
        ({"unlisted_names": "keep"}, 'unlisted_names="keep" leaves names alone'),
        ({"names": False}, "names=False leaves names alone"),
        ({"axis": "age"}, "coreference is for an axis with men and women"),
    ],
)
def test_what_would_do_nothing_is_refused(options: dict[str, Any], message: str) -> None:
    """When the technique is made."""
    with pytest.raises(InputError, match=message):
        CounterfactualSwap("text", **{"coreference": "ada/who", **options})


def test_a_model_that_nobody_has_is_refused_before_the_first_row() -> None:
    """Though no row asks it anything."""
    swap = CounterfactualSwap("text", mode="replace", coreference="ada/nowhere")
    with pytest.raises(InputError, match="'ada/nowhere' is neither a folder"):
        swap({"text": ["Rain."]})
    with pytest.raises(InputError, match="'ada/nowhere' is neither a folder"):
        verify("He ran.", "She ran.", coreference="ada/nowhere")


@pytest.mark.usefixtures("_nearest")
@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("The king met the nun. Then he left.", "wrong person"),
        ("The king met the nun. Then she left.", None),
    ],
)
def test_a_rewrite_is_verified_with_the_model(after: str, told: str | None) -> None:
    """Where the clause alone does not decide."""
    before = "The queen met the nun. Then she left."
    assert verify(before, after, word="queen").accepted
    verdict = verify(before, after, word="queen", coreference="ada/who")
    assert (verdict.reason and verdict.reason.value) == told
