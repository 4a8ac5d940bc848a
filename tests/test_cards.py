"""Dataset cards whose names are hostile."""

import json
import re
from pathlib import Path

import pytest
from huggingface_hub import DatasetCard

from fair_datasets import CounterfactualSwap, load_technique
from fair_datasets.cards import SplitCounts, dataset_card

COUNTS = {"train": SplitCounts(2, 3, 1, {"man": 1, "woman": 0}, {"man": 1, "woman": 1})}
HOSTILE = [
    "`code`",
    "```\n<script>alert(1)</script>",
    "a | b",
    "<script>alert(1)</script>",
    'quote " and \\ and : #',
    "line\nbreak\n---\nlicense: mit",
    "\x1b[31mred\x7f\x9b",
    "emoji 🚆 und Umlaut ä",
    "undecoded \udce9",
    "{a: [1, 2]}",
]


def card_of(name: str) -> str:
    """Write a card in which everything has the same name."""
    return dataset_card(
        title=name,
        source=name,
        config=CounterfactualSwap(columns=name).config(),
        counts=COUNTS,
        command=f"fair-datasets augment '{name}'",
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_front_matter_parses(name: str) -> None:
    """Whatever a title contains, the metadata is what it would be otherwise."""
    data = vars(DatasetCard(card_of(name)).data)
    metadata = {key: value for key, value in data.items() if value is not None}
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    assert metadata["pretty_name"] == printable
    assert sorted(metadata) == ["pretty_name", "tags"]


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


@pytest.mark.parametrize("name", HOSTILE)
def test_configuration_rebuilds_the_technique(name: str) -> None:
    """The JSON in the card is the configuration, whatever a column is named."""
    block = re.search(r"(?ms)^```json\n(.*?)\n```$", card_of(name))
    assert block is not None
    assert load_technique(json.loads(block[1])) == CounterfactualSwap(columns=name)


def test_command_cannot_leave_its_block() -> None:
    """A command that holds a fence is put between longer ones."""
    card = card_of("a ```` b")
    assert "\n`````sh\nfair-datasets augment 'a ```` b'\n`````\n" in card


@pytest.mark.parametrize(
    ("axis", "names", "has_names", "has_gender"),
    [
        ("gender", True, True, True),
        ("gender", False, False, True),
        ("home", True, False, False),
        ("man", True, True, True),
    ],
)
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


def test_attribute_names_are_escaped() -> None:
    """An attribute of one's own lexicon cannot break the table."""
    counts = {"train": SplitCounts(1, 1, 0, {"a|b": 1}, {"a|b": 1})}
    config = CounterfactualSwap(columns="text").config()
    card = dataset_card(title="t", source="s", config=config, counts=counts, command="c")
    assert "| train | a\\|b | 1 | 1 |" in card
