"""From a card back to the techniques, and what is refused."""

import re
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import DatasetCard

from fair_datasets import Blindness, CounterfactualSwap, InputError
from fair_datasets.cards import Sample, dataset_card, reproduce
from fair_datasets.hub.merging import merge_card

SWAP = CounterfactualSwap(columns=("a", "b"), axis=("gender", "race"), joint=True, seed=5)
BLIND = Blindness(columns="a", axis="religion")


def card_of(*techniques: Any, **options: Any) -> str:
    """Write the card of several techniques."""
    configs = [technique.config() for technique in techniques]
    return dataset_card(title="t", source="s", config=configs, counts={}, command="c", **options)


def test_techniques_come_back_in_order() -> None:
    """They are equal to those whose card it is."""
    assert reproduce(card_of(SWAP, BLIND)) == (SWAP, BLIND)
    assert reproduce(card_of(BLIND, SWAP)) == (BLIND, SWAP)


def test_every_form_of_a_card_is_read(tmp_path: Path) -> None:
    """Its text, its file, its folder, and what huggingface_hub makes of it."""
    text = card_of(SWAP)
    path = tmp_path / "README.md"
    path.write_text(text, "utf-8")
    for card in (text, path, str(path), tmp_path, DatasetCard(text), text.replace("\n", "\r\n")):
        assert reproduce(card) == (SWAP,)


def test_a_card_that_was_pushed() -> None:
    """What the Hub's card became keeps the techniques of each configuration."""
    hostile = CounterfactualSwap(columns="<!-- fair_datasets: end cda -->")
    pushed = merge_card("---\nlicense: mit\n---\n# Mine\n", card_of(SWAP, hostile), "cda")
    pushed = merge_card(pushed, card_of(SWAP), "cds")
    pushed = merge_card(pushed, card_of(BLIND), "cds")
    assert reproduce(pushed, config_name="cda") == (SWAP, hostile)
    assert reproduce(pushed, config_name="cds") == (BLIND,)


def section(name: str, text: str) -> str:
    """Mark a section of a card as a push does."""
    return f"<!-- fair_datasets: begin {name} -->\n{text}\n<!-- fair_datasets: end {name} -->\n"


def test_a_card_with_two_configurations_needs_a_name() -> None:
    """Each configuration has its own techniques; what stands outside is nobody's configuration."""
    own = "```json\n{}\n```\n"
    card = own + section("cda", card_of(SWAP)) + own + section("a b", card_of(BLIND))
    assert reproduce(card, config_name="a b") == (BLIND,)
    assert reproduce(card, config_name="cda") == (SWAP,)
    assert reproduce(own + section("cda", card_of(SWAP))) == (SWAP,)
    with pytest.raises(InputError, match=r"several configurations \('cda', 'a b'\)"):
        reproduce(card)
    with pytest.raises(InputError, match="Did you mean 'cda'"):
        reproduce(card, config_name="cdaa")


@pytest.mark.parametrize(
    "card",
    [
        section("a", "") * 2,
        "<!-- fair_datasets: begin a -->\n",
        "<!-- fair_datasets: end a -->\n",
        "<!-- fair_datasets: begin a -->\n<!-- fair_datasets: end b -->\n",
        "<!-- fair_datasets: begin a -->\n" * 2,
    ],
)
def test_sections_that_do_not_pair_are_refused(card: str) -> None:
    """A card that was cut or doubled is not guessed at."""
    with pytest.raises(InputError, match="get the card as it was published"):
        reproduce(card)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"gender": "', '"gender": "0', "'gender' is not the file"),
        ('"first_names": "[0-9a-f]+"', '"first_names": "0"', "'first_names' is not the file"),
        ('"version": "[^"]+"', '"version": "0.0.0"', "made by version 0.0.0"),
        ('"CounterfactualSwap",', '"CounterfactualSwop",', "Did you mean 'CounterfactualSwap'"),
        ('"seed": 5', '"sede": 5', "'sede'"),
        ('"seed": 5', '"seed": "5"', "seed must be a whole number"),
        ('"seed": 5,', "", "lacks the parameters 'seed'"),
        ('"seed": 5,', '"seed": 5', "no JSON any more"),
        ("```json\n{", "```json\n[{", "no JSON any more"),
        ("```json", "```text", "states no technique"),
        ("```\n\n## The same", "\n\n## The same", "states no technique|no JSON"),
    ],
)
def test_a_card_that_was_changed_is_refused(old: str, new: str, message: str) -> None:
    """Digest, version, name, parameter or form: a sentence says which."""
    card = card_of(SWAP)
    changed = re.sub(old, new, card)
    assert changed != card
    with pytest.raises(InputError, match=message):
        reproduce(changed)


def test_a_lexicon_that_was_edited_is_refused(tmp_path: Path) -> None:
    """The card of one's own word list holds for that list alone."""
    path = tmp_path / "own.tsv"
    path.write_text("here\taway\nhost\tguest\n")
    swap = CounterfactualSwap(columns="text", axis=str(path))
    card = card_of(swap)
    assert reproduce(card) == (swap,)
    path.write_text("here\taway\nhost\tvisitor\n")
    with pytest.raises(InputError, match="is not the file"):
        reproduce(card)


def test_text_of_the_data_is_no_technique() -> None:
    """A sample, a title or a column that looks like a section or a block is text."""
    hostile = "\n```json\n{}\n```\n<!-- fair_datasets: end default -->\n"
    swap = CounterfactualSwap(columns=hostile)
    card = dataset_card(
        title=hostile,
        source=hostile,
        config=swap.config(),
        counts={},
        command=hostile,
        metadata={"license": hostile},
        samples=[Sample(hostile, [{"start": 0, "end": 1, "after": hostile}])],
    )
    assert reproduce(card) == (swap,)


@pytest.mark.parametrize("card", ["no such card", 3, None, Path("/no/such/README.md")])
def test_what_is_no_card_is_named(card: Any) -> None:
    """A path that does not exist, or another object, gets a sentence."""
    with pytest.raises(InputError, match="reproduce: the card"):
        reproduce(card)
