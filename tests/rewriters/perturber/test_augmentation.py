"""Algorithm 1: one person of each text is given another attribute."""

import csv
import gzip
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.rows import CANDIDATES
from fair_datasets.rewriters.perturber import PerturbationAugmentation, fit_axis_weights
from fair_datasets.swap import undo
from tests.small_models import ask_the_nearest

WORDS = ["He", "she", "her", "his", "the", "king", "Mary", "John", "white", "woman", "elderly",
         "shirt", "it", "ran.", "A", "an", "Asian", "\n\n", "is", "40 years old"]  # fmt: skip
TEXTS = st.lists(
    st.one_of(st.none(), st.lists(st.sampled_from(WORDS)).map(" ".join)), min_size=1, max_size=8
)


def perturbation(**options: Any) -> PerturbationAugmentation:
    """Return the technique over a column of texts."""
    return PerturbationAugmentation(**{"columns": "text", **options})


@settings(max_examples=30)
@given(TEXTS, st.integers(0, 3), st.sampled_from(CANDIDATES), st.sampled_from([3, 256]))
def test_size_order_and_labels_are_kept(
    texts: list[str | None], seed: int, candidates: str, words: int
) -> None:
    """Whatever else the rows hold; and a text without candidates stays."""
    batch = {"text": texts, "label": list(range(len(texts))), "tags": [["x"]] * len(texts)}
    options = {"seed": seed, "candidates": candidates, "snippet_words": words}
    technique = perturbation(provenance=True, **options)
    result = technique(batch)
    assert (result["label"], result["tags"]) == (batch["label"], batch["tags"])
    assert perturbation(**options)(batch)["text"] == result["text"]
    found = technique.candidate_rows([(text,) for text in texts])
    for number, text in enumerate(texts):
        if number not in found:
            assert (result["text"][number], result["perturbations"][number]) == (text, [])
        is_same = result["text"][number] == text
        assert result["perturbed"][number] == result["counterfactual"][number] == (not is_same)
        if text is not None:
            assert undo(result["text"][number], result["edits"][number]) == text


def test_one_person_and_one_axis_per_text() -> None:
    """What is drawn is said, and only words of that axis and attribute change."""
    text = "The elderly king met his Asian aunt."
    found = set()
    for seed in range(60):
        row = perturbation(seed=seed, provenance=True)({"text": [text]})
        (said,) = row["perturbations"][0]
        assert said["changed"] == row["perturbed"][0] == bool(row["edits"][0])
        assert {edit["axis"] for edit in row["edits"][0]} <= {said["axis"]}
        assert {edit["attribute"] for edit in row["edits"][0]} <= {said["target_attribute"]}
        found.add((said["word"], said["target_attribute"], row["text"][0]))
    texts = {target: after for word, target, after in found if word in ("king", "his", "aunt")}
    assert texts["woman"] == "The elderly queen met her Asian aunt."
    assert texts["man"] == "The elderly king met his Asian uncle."
    assert ("asian", "black", "The elderly king met his Black aunt.") in found
    assert {word for word, _, _ in found} == {"elderly", "king", "his", "asian", "aunt"}


def test_a_word_without_a_form_leaves_the_text(tmp_path: Path) -> None:
    """Nobody else is rewritten in its place, and the log says that nothing changed."""
    axis = tmp_path / "team.tsv"
    axis.write_text("home\taway\tthird\nlocal\tvisitor\tother\nowner\ttenant\t\n")
    found = {}
    for seed in range(40):
        technique = perturbation(axis=str(axis), provenance=True, seed=seed)
        row = technique({"text": ["The owner is a local."]})
        (said,) = row["perturbations"][0]
        found[said["word"], said["target_attribute"]] = (said["changed"], row["text"][0])
    assert found == {
        ("owner", "away"): (True, "The tenant is a visitor."),
        ("owner", "third"): (False, "The owner is a local."),
        ("local", "away"): (True, "The tenant is a visitor."),
        ("local", "third"): (True, "The owner is an other."),
    }


def test_a_noun_and_an_age_are_rewritten_together() -> None:
    """No draw leaves a number beside a stage of life that it does not fit, or changes nothing."""
    found = set()
    for seed in range(60):
        technique = perturbation(axis="age", provenance=True, seed=seed)
        row = technique({"text": ["A child, aged 7, left."]})
        assert row["perturbed"] == [True]
        found.add(row["text"][0])
    assert found == {
        f"{who}, aged {years}, left."
        for who, years in (("A young person", 25), ("A middle-aged person", 53),
                           ("An older adult", 75), ("An adult", 25))
    }  # fmt: skip
    for seed in range(20):
        technique = perturbation(axis="age", seed=seed)
        assert technique({"text": ["He turned 30."]})["text"] != ["He turned 30."]


def test_columns_of_a_row_are_one_text() -> None:
    """A premise and its hypothesis get the same draw."""
    batch = {"premise": ["A man sleeps."] * 40, "hypothesis": ["He rests."] * 40,
             "id": list(range(40))}  # fmt: skip
    technique = perturbation(columns=("premise", "hypothesis"), id_column="id")
    result = technique(batch)
    pairs = set(zip(result["premise"], result["hypothesis"], strict=True))
    assert pairs == {("A woman sleeps.", "She rests."), ("A person sleeps.", "They rest.")}


def test_long_documents_are_divided_and_put_together() -> None:
    """Each part has its own draw, and white space stays as it was."""
    part = "The king  waited for his horse.\n\n It rained all day in the old town .\t"
    text = part * 60
    technique = perturbation(axis="gender", provenance=True)
    result = technique({"text": [text], "id": [1]})
    said = result["perturbations"][0]
    assert len(said) > 2
    assert {one["target_attribute"] for one in said} == {"woman", "non-binary"}
    after = result["text"][0]
    assert undo(after, result["edits"][0]) == text
    assert "".join(filter(str.isspace, after)) == "".join(filter(str.isspace, text))
    whole = perturbation(axis="gender", provenance=True, snippet_words=100_000)({"text": [text]})
    assert len(whole["perturbations"][0]) == 1


def test_the_other_modes_are_those_of_the_swap() -> None:
    """Pairs for fairscore; and the coin of `substitute` is the swap's."""
    texts = [f"He met {n} men." for n in range(50)]
    pairs = perturbation(mode="pair", axis="gender")({"text": [*texts, "Rain."]})
    assert pairs["text"] == [*texts, "Rain."]
    assert pairs["text_counterfactual"][-1] == "Rain."
    some = perturbation(mode="substitute", axis="gender", provenance=True)({"text": texts})
    swapped = CounterfactualSwap(columns="text", mode="substitute")({"text": texts})["text"]
    rows = zip(some["text"], swapped, texts, strict=True)
    assert all((one == text) == (other == text) for one, other, text in rows)
    assert {None, True} == set(some["perturbed"])


@pytest.mark.slow
def test_weights_are_fitted_on_a_dataset() -> None:
    """The numbers are part of the technique."""
    rows = Dataset.from_dict({"text": ["He left. " * 200, "She left.", "An Asian woman.", "Rain."]})
    fitted = fit_axis_weights(rows, perturbation(weights="inverse_axis_frequency"))
    # Of the 400 words of the first row, two snippets are made.
    assert fitted.axis_snippets == (("gender", 4), ("race", 1), ("age", 0))
    assert fitted == fit_axis_weights(rows, perturbation())
    assert PerturbationAugmentation.from_config(fitted.config()) == fitted
    inverse = {"weights": "inverse_axis_frequency", "axis_snippets": fitted.axis_snippets}
    for options, share, error in (({}, 5 / 7, 0.08), (inverse, 20 / 22, 0.06)):
        axes = []
        for seed in range(300):
            made = perturbation(provenance=True, seed=seed, **options)
            axes.append(made({"text": ["An Asian woman."]})["perturbations"][0][0]["axis"])
        assert axes.count("race") / 300 == pytest.approx(share, abs=error)


def test_an_own_axis_is_weighed_by_its_name(tmp_path: Path) -> None:
    """Where its file lies is nobody's business, also not in the numbers."""
    axis = tmp_path / "team.tsv"
    axis.write_text("home\taway\nlocal\tvisitor\n")
    rows = Dataset.from_dict({"text": ["The local left."]})
    fitted = fit_axis_weights(rows, perturbation(axis=(str(axis), "gender")))
    assert fitted.axis_snippets == (("team", 1), ("gender", 0))
    assert fitted.apply(rows)["text"][:] == ["The visitor left."]


def test_features_hold_what_was_drawn() -> None:
    """Also where no text has a candidate."""
    rows = perturbation(provenance=True).apply(Dataset.from_dict({"text": ["Rain."]}))
    assert rows.features["perturbed"] == Value("bool")
    assert rows.features["perturbations"].feature["target_attribute"] == Value("string")
    assert rows[0]["perturbations"] == []
    assert perturbation().apply(Dataset.from_dict({"text": ["Rain."]})).column_names == ["text"]


def test_real_texts(data_directory: Path) -> None:
    """Most sentences about people change, and by their own axis alone."""
    path = data_directory / "classification" / "bold_wikipedia_gender_race.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts = [row["text"] for row in csv.DictReader(file)][:400]
    result = perturbation(provenance=True, protect=())({"text": texts})
    drawn = [said for several in result["perturbations"] for said in several]
    assert len(drawn) > 250
    # "Ahmed Ahmed" keeps both, so nothing of the row changes.
    asked = [said for said in drawn if said["left"] != Reason.NAMED.value]
    assert len(drawn) - len(asked) < len(drawn) / 50
    assert sum(said["changed"] for said in asked) / len(asked) > 0.98
    assert {said["axis"] for said in drawn} >= {"gender", "age"}


def test_rows_that_the_swap_leaves_as_a_whole_are_left_with_the_reason() -> None:
    """Where the word and the attribute that were drawn leave no other; a plain list is a list."""
    texts = ["The Pope met a Catholic.", "A Catholic left."] * 3
    options = {"axis": "religion", "provenance": True, "id_column": "id"}
    batch = {"text": texts, "id": range(6)}
    found = perturbation(**options)(batch)
    tied = "another word of the row is tied to the group"
    assert found["text"][::2] == texts[::2]
    assert found["perturbed"] == [False, True] * 3
    assert [said["left"] for (said,) in found["perturbations"]] == [tied, None] * 3
    listed = perturbation(candidates="lexicon", **options)(batch)
    assert listed["perturbed"] == [True] * 6


def test_only_what_was_drawn_decides_whether_a_row_is_left() -> None:
    """Two groups become one for one target alone."""
    batch = {"text": ["Muslims met Christians."] * 60, "id": range(60)}
    found = perturbation(axis="religion", provenance=True, id_column="id")(batch)
    several = [said for (said,) in found["perturbations"]]
    others = {"muslim": "christian", "christian": "muslim"}
    is_one = [others[said["source_attribute"]] == said["target_attribute"] for said in several]
    assert [said["left"] is not None for said in several] == is_one
    assert {*is_one} == {True, False}
    assert found["perturbed"] == [not held for held in is_one]


def test_a_model_of_coreference_tells_whose_mentions_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two people of one attribute the other stays; without one both move."""
    ask_the_nearest(monkeypatch)
    batch = {"text": ["The queen lost her hat. The nun lost her bag."]}
    for seed in range(4):
        alone = perturbation(axis="gender", seed=seed, coreference="ada/who")(batch)["text"][0]
        both = perturbation(axis="gender", seed=seed)(batch)["text"][0]
        first, second = alone.split(". ")
        assert (first == "The queen lost her hat") != (second == "The nun lost her bag.")
        assert first in both or second in both
        assert "queen lost" not in both
        assert "nun lost" not in both
