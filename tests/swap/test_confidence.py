"""How likely rows are to be rewritten rightly."""

import math
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader import load_reader
from fair_datasets.reader.english.questions import reliability
from fair_datasets.reader.matching import rows as matching_rows
from fair_datasets.reader.matching.language import NAMES, Decision
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.tags import GIVEN, PEOPLE
from fair_datasets.swap.confidence import combined
from fair_datasets.swap.counterfactual import ReadRow
from fair_datasets.swap.rewriting import Rows

DOUBTFUL = "Much of her treating and advising was in Leeds."
TEXTS_OF_CONFIDENCE = [
    "She left.", "It rains.", None, "Mary Gray met Anna, and Anna met the King of Spain.", DOUBTFUL
]  # fmt: skip
SHARES = st.lists(st.floats(0, 1), max_size=8)


def _swap(**options: Any) -> CounterfactualSwap:
    return CounterfactualSwap(columns="text", **{"mode": "replace", "confidence": True, **options})


def _row(text: str, **options: Any) -> ReadRow:
    (row,) = _swap(**options).read(Rows([(text,)], [None]))
    return row


def _confidence(text: str, **options: Any) -> float:
    share = _row(text, **options).confidence
    assert share is not None
    return share


def _of(axis: str, rule: str, detail: str, *, is_read: bool = True) -> float:
    return reliability().of(Decision(axis, rule, detail, is_read))


def _sure(text: str, places: list[int], *shares: float) -> float:
    """Return how sure a row is in which the words at some places change, by its decisions."""
    tagged = load_reader().tags(TokenBatch([text]), np.array(places, np.int64)).probabilities
    capitals = sum(word[:1].isupper() for word in text.split())
    people = tagged[:, PEOPLE].min(initial=1.0)
    share = reliability().of_row("gender", combined(shares), people, capitals)
    return combined([share])


def _of_name(text: str, place: int, stands: str) -> float:
    """Return how sure a name is by its tag and by its rule."""
    given = load_reader().tags(TokenBatch([text]), np.array([place])).probabilities[0, GIVEN]
    return reliability().of_tag(True, given, _of(NAMES, "names.unmarked", stands))


@given(SHARES, st.floats(0, 1))
def test_one_more_decision_makes_no_row_surer(shares: list[float], share: float) -> None:
    """A product of shares stays within 0 and 1, in whichever order."""
    assert 0 <= combined([*shares, share]) <= combined(shares) <= 1
    assert combined(shares) == combined(shares[::-1])
    assert combined([0.99999]) == 0.9999, "none is certain"


def test_a_row_is_as_sure_as_all_its_decisions() -> None:
    """Names by how they stand, words by themselves, the model by its log odds."""
    assert _confidence("Anna left.") == _sure("Anna left.", [0], _of_name("Anna left.", 0, "alone"))
    listed = _of("gender", "terms.listed", "aunt")
    text = "An aunt met Anna Gray."
    assert _confidence(text) == _sure(text, [1, 3], listed, _of_name(text, 3, "with surname"))
    assert _confidence(DOUBTFUL) < 0.95 < _confidence("I met her.")
    assert _confidence("A lesbian left.", axis="orientation") > 0.5


@pytest.mark.parametrize("name", ["Selamawit", "Bekele", "Tesfaye"])
def test_a_name_that_stays_beside_a_pronoun_makes_a_row_less_sure(name: str) -> None:
    """Not so where nothing changes with it, nor a surname that many bear."""
    of_name, of_word, of_many, of_noun, of_pronoun = (
        _confidence(text, unlisted_names="keep")
        for text in (f"{name} found her keys.", "We found her keys.", "Smith found her keys.",
                     f"{name} met a waitress.", f"{name} met her.")
    )  # fmt: skip
    assert of_name < of_many < of_word
    assert of_noun > of_pronoun


def test_the_same_decision_about_a_word_counts_once() -> None:
    """However often the word is there; the least sure one counts."""
    text = "Anna met Anna."
    first, second = (_of_name(text, place, "alone") for place in (0, 2))
    assert _confidence(text) == _sure(text, [0, 2], min(first, second))
    assert _confidence("we met her. " + "he met her. " * 3) == _confidence(
        "we met her. he met her. "
    )


def test_what_is_left_alone_counts_where_it_would_be_rewritten() -> None:
    """It may have been left wrongly; not so what the user protects, and what is no prose."""
    thing = _of("gender", "terms.thing", "king", is_read=False)
    text = "She has a king-size bed."
    assert _confidence(text) == _sure(text, [], thing, _of("gender", "terms.pronoun", "she"))
    assert _confidence("She has a king-size bed.", source="woman") == _confidence("She left.")
    assert _confidence("She met Anna.", protect=["Anna"]) > _confidence("She met Anna.")
    assert _confidence("She saw @anna and https://her.example.") == _confidence("She left.")


def test_what_is_written_counts_too() -> None:
    """The verbs of each "they", and words that read odd in a neutral form."""
    she = _of("gender", "terms.pronoun", "she")
    form = _of("gender", "swap.non-binary", "pronoun")
    verbs = _of("gender", "swap.agreement", "")
    options = {"target": "non-binary"}
    assert _confidence("She left.", **options) == _sure("She left.", [], she, form, verbs)
    twice = "She left. She left."
    assert _confidence(twice, **options) == _sure(twice, [], she, form, verbs, verbs)
    # No verb agrees with "xe".
    assert _confidence("She left.", pronouns="xe", **options) == _sure("She left.", [], she, form)
    title = _confidence("The princess left.", **options)
    assert title < _confidence("The princess left.", target="man")


def test_rows_that_are_not_rewritten_have_none() -> None:
    """Their column is null; so is that of the origins of `augment`."""
    for mode, expected in (
        ("replace", [True, False, False, True, True]),
        ("pair", [True, False, False, True, True]),
        ("augment", [False, True, False, False, False, True, False, True]),
    ):
        found = _swap(mode=mode)({"text": TEXTS_OF_CONFIDENCE})["confidence"]
        assert [share is not None for share in found] == expected
        assert all(0 < share < 1 for share in found if share is not None)
    doubled = _swap(mode="augment", keep_unchanged=True)({"text": ["It rains."]})
    assert doubled["confidence"] == [None, None]


def test_each_axis_has_its_own() -> None:
    """Jointly they have one, of all decisions."""
    text = "A woman met an Asian king."
    options = {"axis": ("gender", "race"), "target": ("man", "black")}
    own = [row.confidence for row in _swap(**options).read(Rows([(text,)], [None]))]
    together = _confidence(text, joint=True, **options)
    assert len(own) == 2
    assert own[0] != own[1]
    assert together < min(share for share in own if share is not None)


def test_a_row_is_as_sure_alone() -> None:
    """Whatever rows are beside it."""
    swap = _swap(axis=("gender", "religion"), joint=True)
    texts = [text for text in TEXTS_OF_CONFIDENCE if text] + ["A Muslim met her."]
    assert swap({"text": texts})["confidence"] == [
        share for text in texts for share in swap({"text": [text]})["confidence"]
    ]


def test_map_gives_the_column_a_type() -> None:
    """Also where the first rows have nulls."""
    rows = Dataset.from_dict({"text": ["It rains.", "She left."] * 3})
    found = _swap().apply(rows, num_proc=2)
    assert found.features["confidence"] == Value("float64")
    assert found["confidence"][:2] == [None, _confidence("She left.")]


def test_rows_that_are_not_trusted_are_left_with_the_reason() -> None:
    """At the least confidence itself a row is rewritten."""
    share = _confidence(DOUBTFUL)
    assert _row(DOUBTFUL, min_confidence=share).counterfactual is not None
    row = _row(DOUBTFUL, min_confidence=math.nextafter(share, 1))
    assert (row.counterfactual, row.confidence) == (None, share)
    (left,) = (row.readings[0] or pytest.fail("It has a word.")).skipped
    assert left.reason is Reason.UNTRUSTED
    assert left.is_of_row
    batch = _swap(min_confidence=0.95)({"text": TEXTS_OF_CONFIDENCE})
    assert [share is not None for share in batch["confidence"]] == [True] + [False] * 4
    assert batch["text"][1:] == TEXTS_OF_CONFIDENCE[1:]


@settings(max_examples=20)
@given(st.floats(0, 1), st.floats(0, 1))
def test_more_rows_are_left_at_a_higher_threshold(one: float, other: float) -> None:
    """Never fewer; and the others are written as ever, with the same confidence."""
    texts = [text for text in TEXTS_OF_CONFIDENCE if text]
    plain = _swap()({"text": texts})
    rewritten = []
    for least in sorted((one, other)):
        found = _swap(min_confidence=least)({"text": texts})
        shares = found["confidence"]
        assert all(share >= least for share in shares if share is not None)
        rewritten.append({number for number, share in enumerate(shares) if share is not None})
        for number, text in enumerate(texts):
            is_rewritten = number in rewritten[-1]
            assert found["text"][number] == (plain["text"][number] if is_rewritten else text)
            assert shares[number] == (plain["confidence"][number] if is_rewritten else None)
    assert rewritten[1] <= rewritten[0]


def test_the_columns_of_a_row_are_trusted_together() -> None:
    """What is doubtful in one text leaves the other alone as well."""
    swap = CounterfactualSwap(columns=("a", "b"), mode="replace", min_confidence=0.95)
    batch = {"a": ["She left."], "b": [DOUBTFUL]}
    assert swap(batch) == batch


def test_a_row_that_is_read_in_parts_is_trusted_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its parts lie in several chunks."""
    texts = ["It rains.", "She left. " * 9 + DOUBTFUL, "She left."]
    whole = _swap(min_confidence=0.95)({"text": texts})
    they = {"text": ["She left. " * 9]}
    share = _swap(target="non-binary")(they)["confidence"]
    monkeypatch.setattr(matching_rows, "MAX_CHUNK_CHARS", 30)
    monkeypatch.setattr(matching_rows, "parts_of", lambda text: [
        (start, min(start + 30, len(text))) for start in range(0, len(text), 30)
    ])  # fmt: skip
    assert _swap(min_confidence=0.95)({"text": texts}) == whole
    assert whole["text"] == [*texts[:2], "He left."]
    assert _swap(target="non-binary")(they)["confidence"] == share
    assert _swap()({"text": texts})["confidence"][1] < 0.95
