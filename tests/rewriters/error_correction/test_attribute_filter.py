"""Keeping the pairs whose attribute changed, by classifiers of any kind."""

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value
from transformers import AutoTokenizer, BertForSequenceClassification

from fair_datasets import AttributeFilter, CounterfactualSwap, InputError
from fair_datasets.scores import ProbeConfig, train_probes
from tests.small_models import small_model, word_tokenizer

MEN = ["He was late.", "His uncle is a king.", "The waiter lost his lamp.", "He saw himself."]
WOMEN = ["She was late.", "Her aunt is a queen.", "The nun lost her lamp.", "She saw herself."]
NEUTRAL = ["It was late.", "The lamp is lost."]
FEATURES = Features({"text": Value("string"), "gender": ClassLabel(names=["man", "woman"])})


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Train a linear probe on rows of one's own, in seconds."""
    rows = {"text": MEN * 5 + WOMEN * 5, "gender": [0] * 20 + [1] * 20}
    config = ProbeConfig(
        out=tmp_path_factory.mktemp("probe"), columns="text", label="gender", seeds=1, epochs=30
    )
    return train_probes(config, Dataset.from_dict(rows, features=FEATURES))[0][-1]


def kept(model: str, pairs: list[tuple[Any, Any]], **options: Any) -> list[bool]:
    """Filter pairs of texts."""
    old, new = map(list, zip(*pairs, strict=True))
    batch = {"text": old, "text_counterfactual": new, **options.pop("more", {})}
    return AttributeFilter(**{"columns": "text", "model": model, **options})(batch)


SWAPPED = [*zip(MEN, WOMEN, strict=True), *zip(WOMEN, MEN, strict=True)]
UNFLIPPED = [(text, text) for text in [*MEN, *WOMEN]]


def test_rows_that_were_not_flipped_are_dropped(probe: str) -> None:
    """From the probability of the threshold on: at 0 every pair is, and at 1 hardly one."""
    assert (kept(probe, SWAPPED), kept(probe, UNFLIPPED)) == ([True] * 8, [False] * 8)
    assert kept(probe, SWAPPED, threshold=0) == [False] * 8
    assert kept(probe, UNFLIPPED, threshold=1) == [True] * 8
    # A text that is missing cannot be read.
    pairs = [(None, "He ran."), (MEN[0], None), (None, None), SWAPPED[0]]
    assert kept(probe, pairs) == [False, False, False, True]


def test_the_attribute_may_be_given(probe: str) -> None:
    """By the number or the name of a class; it goes before what would be predicted."""
    pairs = SWAPPED[:2]
    assert kept(probe, pairs, attribute="gender", more={"gender": [0, 0]}) == [True, True]
    assert kept(probe, pairs, attribute="gender", more={"gender": [1, 0.0]}) == [False, True]
    assert kept(probe, pairs, attribute="gender", more={"gender": [1, None]}) == [False, True]
    named = {"attribute": "gender", "classes": ("M", "F"), "more": {"gender": ["M", "F"]}}
    assert kept(probe, pairs, **named) == [True, False]


def test_neutral_rows_are_dropped_or_copied(probe: str) -> None:
    """Kept are those alone that mention nobody and did not change: no text that failed to flip."""
    pairs = [(text, text) for text in NEUTRAL] + UNFLIPPED + [(NEUTRAL[0], NEUTRAL[1])]
    assert not any(kept(probe, pairs[:2]))
    found = kept(probe, pairs, neutral="copy")
    assert found[:10] == [True, True] + [False] * 8
    batch = {"text": [*MEN, *NEUTRAL]}
    swapped = CounterfactualSwap(columns="text", mode="pair")(batch)
    assert AttributeFilter(columns="text", model=probe, neutral="copy")(swapped) == [True] * 6


def test_neutral_rows_alone_need_no_model(tmp_path: Path) -> None:
    """The folder holds none."""
    (tmp_path / "config.json").write_text("{}")
    assert kept(str(tmp_path), [("It rains.", "It rains.")], neutral="copy") == [True]


def test_a_dataset_is_filtered_and_an_empty_result_is_told(probe: str) -> None:
    """By `apply`, split by split."""
    rows = Dataset.from_dict({"text": MEN + NEUTRAL})
    pairs = CounterfactualSwap(columns="text", mode="pair").apply(rows)
    technique = AttributeFilter(columns="text", model=probe)
    assert technique.apply(pairs)["text"][:] == MEN
    splits = DatasetDict({"train": pairs, "test": pairs.select([4, 5])})
    with pytest.raises(
        InputError, match=r"it keeps none of the 2 rows of the split 'test', because"
    ):
        technique.apply(splits)
    assert len(technique.apply(pairs.select([]))) == 0


def labelled(names: list[str], calls: dict[str, str]) -> Dataset:
    """Return pairs of which one was not flipped, whose attribute is a ClassLabel."""
    rows = {
        "text": MEN + WOMEN,
        "text_counterfactual": [*WOMEN, *MEN[:3], WOMEN[3]],
        "gender": [names.index(calls[group]) for group in ["man"] * 4 + ["woman"] * 4],
    }
    kind = {"text_counterfactual": Value("string"), "gender": ClassLabel(names=names)}
    return Dataset.from_dict(rows, Features({**FEATURES, **kind}))


@pytest.mark.parametrize(
    ("names", "classes"),
    [(["woman", "man"], ["man", "woman"]), (["unknown", "man", "woman"], ["man", "woman"]),
     (["1", "0"], ())],
)  # fmt: skip
def test_of_class_labels_the_names_count(names: list[str], classes: list[str], probe: str) -> None:
    """In whatever order, and beside names that no row has; for splits and streams, too."""
    rows = labelled(names, dict(zip(["man", "woman"], classes or ["0", "1"], strict=True)))
    technique = AttributeFilter(columns="text", model=probe, attribute="gender", classes=classes)
    expected = MEN + WOMEN[:3]
    assert technique.apply(rows)["text"][:] == expected
    assert technique.apply(DatasetDict({"a": rows, "b": rows}))["b"]["text"][:] == expected
    assert [row["text"] for row in technique.apply(rows.to_iterable_dataset())] == expected
    assert technique.apply(rows).features == rows.features
    assert rows.filter(technique, batched=True)["text"][:] == expected


def test_class_labels_with_other_names_are_told(probe: str) -> None:
    """Their numbers are those of their own data, and a linear probe has no names."""
    rows = labelled(["woman", "man"], {"woman": "woman", "man": "man"})
    technique = AttributeFilter(columns="text", model=probe, attribute="gender")
    with pytest.raises(InputError, match=r"'0', '1' .*row 0 .* holds 'man'; set classes"):
        technique.apply(rows)
    other = labelled(["a", "b"], {"woman": "a", "man": "b"})
    told = r"number the classes of column 'gender' differently: .*'a', 'b'.*; filter each split"
    with pytest.raises(InputError, match=told):
        technique.apply(DatasetDict({"a": rows, "b": other}))


def test_class_labels_are_read_by_the_names_of_a_model(tmp_path: Path) -> None:
    """The same rows are kept, whatever the numbers of the names."""
    technique = AttributeFilter(
        columns="text", model=bert(tmp_path, ["woman", "man"]), attribute="gender", threshold=0.4
    )
    calls = {"man": "man", "woman": "woman"}
    found = [technique.apply(labelled(names, calls))["text"][:] for names in
             (["man", "woman"], ["woman", "man"], ["unknown", "man", "woman"])]  # fmt: skip
    assert 0 < len(found[0]) < 8
    assert found[0] == found[1] == found[2]


def test_numbers_of_which_nothing_is_known_are_refused(tmp_path: Path, probe: str) -> None:
    """As in the batches of a stream, where a ClassLabel may have another order than the model."""
    names = ["woman", "man"]
    rows = labelled(["man", "woman"], {"man": "man", "woman": "woman"})
    plain = rows.cast_column("gender", Value("int64"))
    sentence = (
        r"^AttributeFilter: row 0 .* holds the number 0 in column 'gender', and a ClassLabel of"
    )
    for technique in (
        AttributeFilter(columns="text", model=bert(tmp_path, names), attribute="gender"),
        AttributeFilter(columns="text", model=probe, attribute="gender", classes=names),
    ):
        with pytest.raises(InputError, match=sentence):
            technique(rows[:])
        with pytest.raises(InputError, match=sentence):
            list(rows.to_iterable_dataset().filter(technique, batched=True))
        # What is known to be no ClassLabel holds the numbers of the model's classes.
        assert technique.apply(plain)["text"] == plain.filter(technique, batched=True)["text"]


def bert(folder: Path, names: list[str], **options: Any) -> str:
    """Save a small classifier with random weights."""
    words = sorted({word for text in MEN + WOMEN for word in text.split()})
    roles = {"pad_token": "[PAD]", "unk_token": "[UNK]"}
    tokenizer = word_tokenizer(words, list(roles.values()), **roles)
    options |= {"id2label": dict(enumerate(names)), "initializer_range": 1.0}
    model = small_model("BertForSequenceClassification", len(tokenizer), **options)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def test_any_classifier_of_texts_is_asked(tmp_path: Path) -> None:
    """One of transformers, of three classes; its probabilities are those of its softmax."""
    folder = bert(tmp_path, ["man", "woman", "non-binary"])
    model = BertForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    texts = MEN + WOMEN
    with torch.inference_mode():
        logits = [model(**tokenizer(text, return_tensors="pt")).logits[0] for text in texts]
    probabilities = torch.stack(logits).softmax(-1)
    draws = random.Random(0)
    given = [draws.randrange(3) for _ in texts]
    names = ["man", "woman", "non-binary"]
    more = {"gender": [names[number] for number in given]}
    pairs = [("any text", text) for text in texts]
    found = kept(folder, pairs, attribute="gender", threshold=0.4, more=more)
    assert found == [float(probabilities[k, number]) < 0.4 for k, number in enumerate(given)]
    assert 0 < sum(found) < len(found)


@pytest.mark.parametrize(("options", "sentence"), [
    ({"more": {"gender": [7]}}, r"'gender' must hold the classes of .*'0', '1' .*row 0 .*7;"),
    ({"more": {"gender": ["F"]}}, r"row 0 .* holds 'F'; set classes to the column's name"),
    ({"more": {"gender": [True]}}, r"row 0 .* holds True; set classes"),
    ({"classes": ("a", "b", "c"), "more": {"gender": [0]}}, "classes names 3, but"),
    ({}, r"there is no column 'gender'"),
    ({"more": {"gender": [0]}, "revision": "v1"}, "revision 'v1' is for a model of the Hub"),
])  # fmt: skip
def test_attributes_that_are_no_classes_are_told(
    options: dict[str, Any], sentence: str, probe: str
) -> None:
    """With the row, the value and what to do."""
    with pytest.raises(InputError, match=sentence):
        kept(probe, SWAPPED[:1], attribute="gender", **options)


def test_other_classifiers_are_refused(tmp_path: Path) -> None:
    """Of one class, or of classes of which a text may have several."""
    with pytest.raises(InputError, match="has one class, but there must be one for each attribute"):
        kept(bert(tmp_path / "one", ["man"]), SWAPPED[:1])
    several = {"problem_type": "multi_label_classification"}
    with pytest.raises(InputError, match=r"the classes of .* do not exclude each other"):
        kept(bert(tmp_path / "two", ["man", "woman"], **several), SWAPPED[:1])


def test_a_model_that_has_changed_is_told(probe: str, tmp_path: Path) -> None:
    """What it says is no longer what it said."""
    folder = tmp_path / "probe"
    shutil.copytree(probe, folder)
    changed = AttributeFilter(columns="text", model=folder)
    (folder / "linear_probe.json").write_text("{}")
    with pytest.raises(InputError, match=r"has changed since the technique was made"):
        changed({"text": ["He"], "text_counterfactual": ["She"]})
