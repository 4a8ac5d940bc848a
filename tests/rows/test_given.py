"""Whatever is given as rows, there is a result or one sentence that says what to give."""

from typing import Any

import pytest
from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

from fair_datasets import InputError, load_metric
from fair_datasets.rows import texts_of
from fair_datasets.rows.given import batches
from fair_datasets.selection.thresholds import fit_threshold

SCORED = Dataset.from_dict(
    {"text": ["He won.", "Rain."], "text_counterfactual": ["She won.", "Rain."],
     "gender_equity": [0.4, 0.0], "pair": ["a", "b"], "label": [1, 0]}
)  # fmt: skip
STREAM = SCORED.to_iterable_dataset()
UNKNOWN = IterableDataset.from_generator(lambda: iter(SCORED))
SPLITS = DatasetDict(train=SCORED, test=SCORED)


ALL_KINDS = [SPLITS, STREAM, UNKNOWN, IterableDatasetDict(train=UNKNOWN, test=STREAM)]


@pytest.mark.parametrize("given", ALL_KINDS)
def test_a_threshold_is_taken_from_splits_and_streams_as_well(given: Any) -> None:
    """Also from a stream that does not know its columns."""
    found = fit_threshold(given, "gender_equity", keep="below", quantile=0.5)
    assert found.threshold == pytest.approx(0.2)


@pytest.mark.parametrize("given", [SCORED, *ALL_KINDS])
def test_batches_of_every_kind_of_dataset(given: Any) -> None:
    """All splits are read, in batches of the size asked for, with the columns asked for."""
    found = list(batches(given, ["label"], size=1))
    expected = [{"label": [1]}, {"label": [0]}] * (len(found) // 2)
    assert found
    assert [{"label": batch["label"]} for batch in found] == expected
    known = given is not UNKNOWN and not isinstance(given, IterableDatasetDict)
    if known:
        assert [list(batch) for batch in found] == [["label"]] * len(found)


def test_texts_of_a_dataset() -> None:
    """One text for each row, of all splits, for the measures."""
    talks = [[{"role": "user", "content": "He won."}, {"role": "bot", "content": "Good."}], None]
    rows = Dataset.from_dict({"messages": talks, "text": ["a", "b"]})
    for given_rows in (rows, rows.to_iterable_dataset()):
        assert texts_of(given_rows, "messages[].content") == ["He won.\nGood.", None]
        assert texts_of(given_rows, ["text", "messages[].content"], roles="user") == [
            "a\nHe won.",
            "b",
        ]
    splits = DatasetDict(train=rows, test=rows)
    assert texts_of(splits, "text") == ["a", "b", "a", "b"]
    found = load_metric("representation").compute(data=texts_of(rows, "messages[].content")[:1])
    assert found["mentions"] == {"man": 1, "woman": 0, "non-binary": 0}
    with pytest.raises(InputError, match=r"`texts_of\(dataset, 'messages\[\].content'\)` reads"):
        load_metric("representation").compute(data=talks[:1])
