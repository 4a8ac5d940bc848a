"""Dataset cards: what they say, and names that are hostile."""

import re
from pathlib import Path
from typing import Any

import pytest
import spacy
from datasets import Dataset
from huggingface_hub import DatasetCard

from fair_datasets import Blindness, CounterfactualSwap
from fair_datasets.cards import (
    Measured,
    Sample,
    SplitCounts,
    dataset_card,
    model_card,
)
from fair_datasets.cards.dataset import size_category
from fair_datasets.cards.markdown import addressed_dataset, fenced_blocks
from fair_datasets.cards.statements import LEFT

COUNTS = {"train": SplitCounts(2, 3, 1, {"man": 1, "woman": 0}, {"man": 1, "woman": 1})}
HOSTILE = ["`code`", "```\n<script>alert(1)</script>", "a | b", "<script>alert(1)</script>",
    'quote " and \\ and : #', "line\nbreak\n---\nlicense: mit", "\x1b[31mred\x7f\x9b",
    "emoji 🚆 und Umlaut ä", "undecoded \udce9", "{a: [1, 2]}"]  # fmt: skip


def card_of(name: str) -> str:
    """Write a card in which everything has the same name."""
    return dataset_card(title=name, source=name, config=CounterfactualSwap(columns=name).config(),
        counts=COUNTS, command=f"fair-datasets augment '{name}'")  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_front_matter_parses(name: str) -> None:
    """Whatever a title contains, the metadata is what it would be otherwise."""
    data = vars(DatasetCard(card_of(name)).data)
    metadata = {key: value for key, value in data.items() if value is not None}
    assert metadata["pretty_name"] == name
    assert sorted(metadata) == ["language", "pretty_name", "size_categories", "tags"]


def test_what_the_source_states_of_its_language_holds() -> None:
    """Else the texts are taken for English; the size is of the rows that were written."""
    found = DatasetCard(card_of("twin")).data.to_dict()
    rows = sum(each.rows_out for each in COUNTS.values())
    assert (found["language"], found["size_categories"]) == (["en"], [size_category(rows)])
    card = dataset_card(
        title="twin", source="x", config=CounterfactualSwap(columns="text").config(),
        counts=COUNTS, command=(), metadata={"language": ["en", "de"]},
    )  # fmt: skip
    assert DatasetCard(card).data.to_dict()["language"] == ["en", "de"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_no_markup(name: str) -> None:
    """Outside code, no name becomes a tag, a table cell, a line or an escape sequence."""
    text = DatasetCard(card_of(name)).text
    prose = re.sub(r"(?ms)^(`{3,})\w+\n.*?^\1$", "", text)
    prose = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", prose.replace("\\`", ""))
    assert "<script>" not in prose
    assert "\nlicense: mit" not in prose
    assert "\x1b" not in text
    assert [line for line in prose.splitlines() if line.startswith("# ")] == [
        prose.strip().splitlines()[0]
    ]


@pytest.mark.parametrize(("axis", "names", "has_names", "has_gender"), [
    ("gender", True, True, True),
    ("gender", False, False, True),
    ("home", True, False, False),
    ("man", True, True, True),
])  # fmt: skip
def test_limits_are_those_of_the_axis(
    axis: str, names: bool, has_names: bool, has_gender: bool, tmp_path: Path
) -> None:
    """What is said about first names and about gender stands only where it is true."""
    path = axis
    if axis != "gender":
        path = str(tmp_path / "own.tsv")
        Path(path).write_text(f"{axis}\t{'woman' if axis == 'man' else 'away'}\nhost\tguest\n")
    config = CounterfactualSwap(columns="text", axis=path, names=names).config()
    card = dataset_card(title="t", source="s", config=config, counts=COUNTS, command="c")
    limits = card.partition("## Limits")[2].partition("## Citation")[0]
    assert ("\n- Names speak of gender" in limits) == has_names
    assert ("\n- A rewrite between man and woman" in limits) == has_gender
    assert "\n- Equal counts are not fairness." in limits


def test_a_model_of_which_every_row_fell_back_is_told() -> None:
    """One kept row is enough for silence, and rows that no model was asked for do not count."""
    told = "all 2 rows with somebody to rewrite fell back"
    for statuses, is_told in (({"swap": 2, "original": 1}, True), ({"swap": 2, "model": 1}, False)):
        logged = {"rewrite_status": statuses, "rewrite_fault": {LEFT: 1, "negation": 2}}
        counts = {"train": COUNTS["train"]._replace(logged=logged)}
        config = CounterfactualSwap(columns="text").config()
        card = dataset_card(title="t", source="s", config=config, counts=counts, command="c")
        assert (told in card) == is_told


def test_several_techniques_measures_samples_and_commands() -> None:
    """All of it stands in the card, in order."""
    swap = CounterfactualSwap(columns="text", provenance=True, seed=9)
    blind = Blindness(columns="text")
    text = "He <b>ran</b>."
    card = dataset_card(title="t", source="s", config=[swap.config(), blind.config()],
        counts=COUNTS, command=["first", "second"],
        measured=[Measured("parity", 0.1, before=0.25, data="test", detail="by gender")],
        samples=[Sample(text, swap({"text": [text]})["edits"][1])])  # fmt: skip
    assert "by `CounterfactualSwap`, then `Blindness` of" in card
    assert "seed 9, axis gender" in card
    assert "\n```sh\nfirst\nsecond\n```\n" in card
    assert "| parity | 0.25 | 0.1 | test | by gender |" in card
    assert "1. Text: <del>He</del> <ins>She</ins> &lt;b>ran&lt;/b>." in card
    assert "`fair_datasets.swap.undo(text, edits)` gives back the text before" in card
    assert card.count("- Names speak of gender") == 1
    assert "\n- Lu, " in card
    assert "\n- Zayed, " in card


def test_what_is_missing_is_said() -> None:
    """Without measures, provenance or a licence, the card says so; without samples, nothing."""
    card = card_of("name")
    assert "Fairness was not measured, or not stated here." in card
    assert "The rows do not say what was changed in them." in card
    assert "look them up before you share it" in card
    assert "## Sample edits" not in card


def python_of(card: str) -> list[str]:
    """Return the blocks of Python of a card."""
    return [block.code for block in fenced_blocks(card) if block.language == "python"]


def test_the_code_in_the_card_makes_the_dataset_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as it stands, it gives the rows that the techniques gave: columns, labels and all."""
    reviews = Dataset.from_dict({"text": ["He left.", "It rains.", "Mary saw her."]})
    swap = CounterfactualSwap(columns="text", mode="substitute", seed=2, provenance=True)
    blind = Blindness(columns="text", mode="neutralise")
    card = dataset_card(title="t", source="reviews.csv", config=[swap.config(), blind.config()],
        counts=COUNTS, command="c", reading=["from datasets import load_dataset",
        'dataset = load_dataset("reviews")["train"]'])  # fmt: skip
    (tmp_path / "README.md").write_text(card, "utf-8")
    (tmp_path / "reviews").mkdir()
    reviews.to_parquet(tmp_path / "reviews" / "train.parquet")
    monkeypatch.chdir(tmp_path)
    _, code = python_of(card)
    scope: dict[str, Any] = {}
    exec(code, scope)
    made = blind.apply(swap.apply(reviews))
    assert list(scope["dataset"]) == list(made)
    assert scope["dataset"].features == made.features


def test_how_to_load_stands_before_anything_else() -> None:
    """Three lines of code below the title, and only then what was done, and digests."""
    card = card_of("twin")
    title, code, rest = card.partition("# twin\n\n")[2].partition("```\n\nMade from")
    assert title == (
        '```python\nfrom datasets import load_dataset\n\ndataset = load_dataset("twin")'
        "  # this dataset\n"
    )
    assert code
    assert "SHA-256" in rest


def test_a_pushed_card_says_how_to_load_it_from_the_hub() -> None:
    """Name and configuration are written anew, however often it moves; nothing else is."""
    swap = CounterfactualSwap(columns="text", pipeline=None)
    card = dataset_card(
        title="twin", source="ada/a", config=swap.config(), counts=COUNTS, command="c",
        reading=["from datasets import load_dataset", "", 'dataset = load_dataset("ada/a")'],
    )  # fmt: skip
    once = addressed_dataset(card, "ada/reviews", "default")
    twice = addressed_dataset(once, "bob/reviews", "cda", "v2")
    load, again = python_of(twice)
    assert load.splitlines()[-1] == (
        'dataset = load_dataset("bob/reviews", "cda", revision="v2")  # this dataset'
    )
    assert 'dataset = load_dataset("ada/a")\n' in again
    assert 'in reproduce("README.md", config_name="cda"):' in again
    assert 'load_dataset("ada/reviews")  # this' in once
    for text in (once, twice):
        assert len(text.splitlines()) == len(card.splitlines())


def test_the_code_allows_the_pipeline_that_the_command_named(tmp_path: Path) -> None:
    """A pipeline is run by whoever runs the code, so the code says so, without its folders."""
    spacy.blank("en").to_disk(tmp_path / "en_mine")
    config = CounterfactualSwap(columns="text", pipeline=tmp_path / "en_mine").config()
    card = dataset_card(title="t", source="s", config=config, counts=COUNTS, command="c")
    assert 'reproduce("README.md", allow=["en_mine"])' in python_of(card)[1]
    assert str(tmp_path) not in card
    assert "| en\\_mine/config.cfg |" in card


def test_no_folder_of_this_machine_is_told(tmp_path: Path) -> None:
    """The source and what a model was trained from are named without the way to them."""
    file = tmp_path / "reviews.csv"
    cards = [dataset_card(title="t", source=str(file),
        config=CounterfactualSwap(columns="text").config(), counts=COUNTS, command="c"),
        model_card(title="m", base_model=str(tmp_path / "bert"),
        training_data=str(file))]  # fmt: skip
    for card in cards:
        assert str(tmp_path) not in card
        assert "`reviews.csv`" in card
