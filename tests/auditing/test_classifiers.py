"""Whom an audit asks for predictions."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, Features, Value

from fair_datasets import CounterfactualSwap
from fair_datasets.auditing.audit_input import read_audit_input
from fair_datasets.auditing.classifiers import (
    NoClassifierError,
    Side,
    classifier_of,
    drawn_rows,
)
from fair_datasets.auditing.counterfactuals import counterfactual_part
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.scores import ProbeConfig, train_probes
from fair_datasets.scores.classifiers import class_logits
from fair_datasets.scores.probes.probe import LinearProbe

classifier = runpy.run_path(str(Path(__file__).parents[1] / "demo" / "conftest.py"))["classifier"]
ROWS = {"text": ["good film", "bad film"] * 20, "y": ["kind", "rude"] * 20}


def test_a_probe_learns_the_labels_of_the_training_rows(read: Any) -> None:
    """And is asked about the rows of other splits alone that are not in it, nor once swapped."""
    others = {"text": ["he saw a good film", "a good film!", "she ran", "she saw a good film"],
              "y": ["kind", "kind", "rude", "kind"]}  # fmt: skip
    train = {"text": [*ROWS["text"], "He ran."[:-1]], "y": [*ROWS["y"], "rude"]}
    material, settings, _ = read({"test": others, "train": train}, label="y")
    classifier = classifier_of(Side("rows", material, settings))
    found = classifier.predict([("a good film",), ("a bad film",)])
    assert [classifier.classes[place] for place in found] == ["kind", "rude"]
    assert np.flatnonzero(classifier.asked).tolist() == [0, 1, 3]
    assert "41 rows of train" in classifier.note


def test_equal_rows_are_asked_about_once(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one question and over several, in any order."""
    texts = [f"{word} film {number}" for number in range(20) for word in ("good", "bad")]
    material, settings, _ = read({"text": texts, "y": ROWS["y"]}, label="y")
    classifier = classifier_of(Side("rows", material, settings))
    wanted = classifier.scores([("a good film",)])
    asked: list[tuple[str, ...]] = []
    logits = LinearProbe.logits
    monkeypatch.setattr(
        LinearProbe, "logits", lambda self, rows: (asked.extend(rows), logits(self, rows))[1]
    )
    found = classifier.scores([("bad",), ("a good film",), ("bad",)])
    assert asked == [("bad",)]
    assert (found[1] == wanted[0]).all()
    assert (found[0] == found[2]).all()
    assert classifier.scores([]).shape == (0, 2)


def test_one_split_is_divided_by_its_texts(read: Any) -> None:
    """Rows that are the same stay on one side."""
    texts = [f"{word} film {number}" for number in range(60) for word in ("good", "bad")] * 2
    material, settings, _ = read({"text": texts, "y": ["kind", "rude"] * 120}, label="y")
    asked = classifier_of(Side("rows", material, settings)).asked
    assert (asked[:120] == asked[120:]).all()
    assert 0.15 < asked.mean() < 0.45


def test_a_row_and_its_counterfactual_stay_on_one_side(read: Any) -> None:
    """As a probe would know the label of the one from the other."""
    texts = [f"The {kind} sees film {number}." for number in range(60) for kind in ("man", "woman")]
    rows = {"text": texts, "y": [number % 2 for number in range(60) for _ in range(2)]}
    material, settings, _ = read(rows, label="y")
    asked = classifier_of(Side("rows", material, settings)).asked.reshape(60, 2)
    assert (asked[:, 0] == asked[:, 1]).all()
    assert 0.15 < asked.mean() < 0.45


def test_two_probes_are_asked_about_the_same_rows_and_learn_from_none_of_their_families(
    read: Any,
) -> None:
    """Whatever was made of the rows: copied, swapped by other rules, named by a family, divided."""
    texts = [f"He won {day}." for day in range(80)]
    labels = ["kind", "rude"] * 40
    before = Side("rows", *read({"text": texts, "y": labels}, label="y")[:2])
    first = classifier_of(before)
    assert 0.15 < first.asked.mean() < 0.45
    made = [text.replace("He", "They all") for text in texts]
    rows = {"text": texts + made, "y": labels * 2, "family_id": list(map(str, range(80))) * 2}
    after = Side("more", *read(rows, label="y")[:2])
    second = classifier_of(after, before._replace(asked=first.asked))
    assert (second.asked == first.asked).all()
    assert (second.references == first.references).all()
    assert second.classes == first.classes
    trained = 2 * int(np.count_nonzero(~first.asked))
    assert f"{trained} rows that it is not asked about" in second.note


@pytest.mark.parametrize(
    ("rows", "settings", "reason"),
    [
        (ROWS, {}, "neither predictions, nor a model, nor labels"),
        ({"text": list(map(str, range(40))), "y": ["kind"] * 40}, {"label": "y"}, "the one label"),
        ({"text": [f"! {'?' * number}" for number in range(40)],
          "y": ["a", "b"] * 20}, {"label": "y"}, "no word of two or more letters"),
        ({"text": ["good film", "bad film"], "y": [None, None]}, {"label": "y"}, "have no label"),
    ],
)  # fmt: skip
def test_why_there_is_no_probe(read: Any, rows: Any, settings: Any, reason: str) -> None:
    """Is told, where the other analyses go on."""
    material, checked, _ = read(rows, **settings)
    with pytest.raises(NoClassifierError, match=reason):
        classifier_of(Side("rows", material, checked))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a linear probe, whose classes have numbers and no names."""
    rows = Dataset.from_dict({"text": ROWS["text"], "label": [0, 1] * 20})
    folder = tmp_path_factory.mktemp("probes")
    config = ProbeConfig(out=folder, columns="text", seeds=1, epochs=2)
    return train_probes(config, rows)[0][-1]


@pytest.mark.parametrize(
    ("values", "feature", "names"),
    [
        ([0, 1] * 20, Value("int64"), ("0", "1")),
        ([0, 1] * 20, ClassLabel(names=["kind", "rude"]), ("kind", "rude")),
        # Texts become classes in alphabetical order, as everywhere.
        (["kind", "rude"] * 20, Value("string"), ("kind", "rude")),
        # The second class of the model is the only one that occurs.
        ([1] * 40, ClassLabel(names=["kind", "rude"]), ("0", "rude")),
    ],
)
def test_labels_are_found_among_the_classes_of_a_model(
    model: str, values: Any, feature: Any, names: tuple[str, ...]
) -> None:
    """By their names, else by their numbers."""
    rows = Dataset.from_dict(
        {"text": ROWS["text"], "y": values}, Features(text=Value("string"), y=feature)
    )
    settings = AuditSettings(columns="text", label="y", model=model)
    classifier = classifier_of(Side("rows", read_audit_input({"train": rows}, settings), settings))
    assert classifier.classes == names
    assert classifier.references is not None
    wanted = [names.index(str(feature.int2str(value) if isinstance(feature, ClassLabel) else value))
              for value in values]  # fmt: skip
    assert classifier.references.tolist() == wanted


def test_the_classes_of_a_transformer_go_by_their_names(read: Any, classifier: Path) -> None:
    """Whatever their order and case; a class without a label is one of the model's own."""
    rows = {"text": ["The waitress sang.", "The waiter told her."] * 4,
            "y": ["Positive", "negative"] * 4}  # fmt: skip
    material, settings, commands = read(rows, label="y", model=str(classifier))
    asked = classifier_of(Side("rows", material, settings))
    assert asked.classes == ("negative", "neutral", "Positive")
    assert asked.references is not None
    assert asked.references.tolist() == [2, 0] * 4
    part = counterfactual_part(material, settings, asked, commands)
    (flips,) = (each for each in part.figures if each.measure == "flip_rate" and not each.attribute)
    swapped = CounterfactualSwap(columns="text", mode="replace")({"text": rows["text"]})["text"]
    before, after = (
        class_logits(texts, str(classifier)).argmax(axis=1) for texts in (rows["text"], swapped)
    )
    assert (flips.value, flips.rows) == ((before != after).mean(), 8)


def test_labels_that_are_no_classes_of_the_model_are_told(model: str, read: Any) -> None:
    """Nothing is guessed."""
    rows = {**ROWS, "y": [5, 7] * 20}
    material, settings, _ = read(rows, label="y", model=model)
    classifier = classifier_of(Side("rows", material, settings))
    assert classifier.references is None
    assert "the labels are 5 and 7, but the classes of the model are 0 and 1" in classifier.lacking


def test_drawn_rows_are_in_order_and_among_the_kept() -> None:
    """The same seed draws the same."""
    kept = np.arange(100) % 2 == 0
    drawn = drawn_rows(kept, 10, seed=1)
    assert len(drawn) == 10
    assert (np.diff(drawn) > 0).all()
    assert kept[drawn].all()
    assert (drawn == drawn_rows(kept, 10, seed=1)).all()
