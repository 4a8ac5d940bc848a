"""What others wrote in a card stays when a section of ours is written into it."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.hub.merging import card_parts, has_tag, merge_card
from fair_datasets.system.checks import InputError

MARKS = ["<!-- fair_datasets: begin cda -->", "<!-- fair_datasets: end cda -->"]
TEXTS = st.lists(st.sampled_from(["a", "\n", "# T\n", "---\n", "é", *MARKS])).map("".join)


@given(before=TEXTS, section=TEXTS)
def test_what_stands_outside_stays(before: str, section: str) -> None:
    """Whatever the text, even one with stray markers, nothing of it is lost the first time."""
    card = merge_card(f"---\nlicense: mit\n---\n{before}", f"x{section}", "other")
    assert card_parts(card)[1].startswith(before)


@given(before=TEXTS, first=TEXTS, second=TEXTS)
def test_a_section_is_replaced(before: str, first: str, second: str) -> None:
    """Writing twice is writing once, and only the last text of a section is there."""
    start = f"---\nlicense: mit\n---\n{before}"
    once = merge_card(start, f"x{second}", "new")
    assert merge_card(once, f"x{second}", "new") == once
    assert merge_card(merge_card(start, f"x{first}", "new"), f"x{second}", "new") == once


def test_sections_stand_side_by_side() -> None:
    """Each configuration has its own; text behind a section stays behind it."""
    card = merge_card("", "# CDA", "cda") + "By hand.\n"
    card = merge_card(merge_card(card, "# CDS", "cds"), "# CDA again", "cda")
    begin, end = MARKS
    text = card_parts(card)[1]
    assert text.startswith(f"{begin}\n# CDA again\n{end}\nBy hand.\n")
    assert "# CDS" in text


def test_a_deleted_end_costs_nothing() -> None:
    """Where somebody deleted an end, the text behind the begin is theirs."""
    card = merge_card("", "# CDA", "cda").replace(MARKS[1], "Mine.")
    for _ in range(3):
        card = merge_card(card, "# New", "cda")
    assert card.count("Mine.") == card.count("# New") == 1


def test_a_copy_of_the_card() -> None:
    """The card of a pulled folder holds the section, which is taken out of it."""
    card = merge_card("---\nlicense: mit\n---\nBy hand.\n", "# Model", "card")
    assert merge_card(card, card, "card") == card
    assert merge_card(card, card.replace("# Model", "# New"), "card") == card.replace(
        "# Model", "# New"
    )


def test_marks_within_a_line_are_text() -> None:
    """A licence or a name from a foreign card that holds the comments does not cut the section."""
    section = f"# CDA\n\nThe terms (`{MARKS[0]} Free. {MARKS[1]}`) apply.\n\nLimits."
    card = merge_card("", section, "cda")
    assert "# CDA" in card
    assert "Limits." in card
    assert merge_card(card, section, "cda") == card


def test_metadata() -> None:
    """Values that are there stay, lists are united, and what datasets writes is left to it."""
    old = {
        "license": "mit", "tags": ["text"], "configs": [{"config_name": "a", "data_files": "a/*"}],
        "model-index": [{"name": "m", "results": [1]}, {"name": "other", "results": [2]}],
        "sdk_version": "4.0.0", "title": "Mine",
    }  # fmt: skip
    new = {
        "license": "cc0-1.0", "language": "en", "tags": ["text", "evaluate"],
        "configs": [{"config_name": "b", "data_files": "b/*"}],
        "model-index": [{"name": "m", "results": [3]}], "sdk_version": "6.0.0", "title": "Ours",
    }  # fmt: skip
    cards = [f"---\n{yaml.safe_dump(data, sort_keys=False)}---\n" for data in (old, new)]
    merged = merge_card(cards[0], cards[1], "cda")
    assert card_parts(merged)[0] == {
        **old, "tags": ["text", "evaluate", "fair_datasets"],
        "model-index": [{"name": "other", "results": [2]}, {"name": "m", "results": [3]}],
        "sdk_version": "6.0.0", "language": "en",
    }  # fmt: skip
    assert has_tag(merged)
    assert not has_tag(cards[0])
    assert not has_tag("")


def test_licences_of_parts_stand_side_by_side() -> None:
    """What a new part has is added where it differs, and once; elsewhere the first one stays."""
    cards = [f"---\nlicense: {name}\n---\n" for name in ("mit", "cc0-1.0")]
    both = merge_card(cards[0], cards[1], "cda", united=["license"])
    assert card_parts(both)[0]["license"] == ["mit", "cc0-1.0"]
    assert merge_card(both, cards[1], "cda", united=["license"]) == both
    same = merge_card(cards[0], cards[0], "cda", united=["license"])
    assert card_parts(same)[0]["license"] == "mit"
    assert card_parts(merge_card(cards[0], cards[1], "cda"))[0]["license"] == "mit"


def laughs(depth: int) -> str:
    """Write YAML in which each name stands for ten of the name before."""
    lines = ["a0: &a0 [ha]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, depth)]
    return "\n".join([*lines, f"license: *a{depth - 1}"])


@pytest.mark.parametrize("yaml_text", [
    laughs(30),
    "\n".join(
        [
            "a0: &a0 {x: 1}",
            *(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 99)),
        ]
    ),
    "license: &a [*a]",
    "&a [*a]",
    f"a: &a 1\nb: {'[' * 9999}*a",
], ids=["names", "merged", "endless", "endless alone", "deep"])  # fmt: skip
def test_metadata_that_mean_too_much(yaml_text: str) -> None:
    """A few lines that stand for more than any memory holds are refused before they are read."""
    with pytest.raises(InputError, match="The metadata at the top of the card cannot be read"):
        card_parts(f"---\n{yaml_text}\n---\n# Reviews\n")


def test_names_in_metadata_are_read() -> None:
    """Datasets itself has written some, for features that are alike."""
    data, _ = card_parts("---\na: &id001 [x, y]\nb: *id001\n---\n")
    assert data == {"a": ["x", "y"], "b": ["x", "y"]}
    assert len(card_parts(f"---\n{laughs(4)}\n---\n")[0]["a3"]) == 10


def test_metadata_that_cannot_be_read() -> None:
    """The card of the Hub is not replaced where it is not understood."""
    with pytest.raises(InputError, match="The metadata at the top of the card cannot be read"):
        merge_card("---\nlicense: [mit\n---\nBy hand.\n", "# CDA", "cda")


def test_a_byte_order_mark() -> None:
    """What some editors put before the metadata does not hide them."""
    card = merge_card("\ufeff---\nlicense: mit\n---\nBy hand.\n", "# CDA", "cda")
    assert card_parts(card)[0]["license"] == "mit"
