"""Whatever a text holds, a Markdown reader shows it and does nothing else with it."""

import json
import re

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fair_datasets.cards.markdown import (
    Block,
    card_parts,
    code,
    code_block,
    escaped,
    fenced_blocks,
    front_matter,
    has_tag,
    json_block,
    merge_card,
    printable,
    split_card,
    table,
)
from fair_datasets.system.checks import InputError

SPECIAL = "`*_{}[]()#|!~$<>&\\\"':/@.-+=\n\r\t\x1b\x85\u2028\u202eaB1 w"


TEXTS = st.text(st.sampled_from(SPECIAL), max_size=30) | st.text(max_size=30)


READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def shown(markdown: str) -> tuple[list[str], str]:
    """Return the kinds of inline tokens of a Markdown text, and the text that they show."""
    tokens = [
        child for token in READER.parse(markdown) if token.children for child in token.children
    ]
    return [token.type for token in tokens], "".join(token.content for token in tokens)


@given(TEXTS)
@example("<script>alert(1)</script>")
@example("[a](http://b) ![c](d) <e@f.g> www.h.i https://j")
@example("*a* __b__ ~~c~~ `d` $e$ | f")
@example("&lt;b&gt; &#42;")
def test_an_escaped_text_is_shown_as_it_is(text: str) -> None:
    """It is one line of text: no tag, link, emphasis, code or entity comes of it."""
    kinds, content = shown(f"Text: {escaped(text)}.")
    assert set(kinds) <= {"text", "text_special"}
    assert content == f"Text: {printable(text)}."


@given(TEXTS)
def test_an_escaped_text_is_one_cell(text: str) -> None:
    """No text opens a cell or a row of its own."""
    tokens = READER.parse("\n".join(table(["a", "b"], [[escaped(text), "c"]])))
    cells = [tokens[k + 1].content for k, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 2
    assert cells[1] == "c"


@given(TEXTS)
def test_nothing_becomes_a_link_by_itself(text: str) -> None:
    """The readers that link bare addresses find none."""
    result = escaped(f"https://{text} www.{text} a@{text}")
    assert "://" not in result
    assert "www." not in result
    assert "@" not in result


@given(TEXTS.filter(lambda text: printable(text).strip()))
def test_inline_code_holds_the_text(text: str) -> None:
    """Backticks in a text do not end its code."""
    kinds, content = shown(f"Text: {code(text)}.")
    assert kinds == ["text", "code_inline", "text"]
    assert printable(text).strip() in content


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_a_block_of_code_is_read_back(lines: list[str]) -> None:
    """No line of code closes its block, and a reader sees the same block."""
    text = "\n".join([*code_block(lines, "sh"), "", "After."])
    assert fenced_blocks(text) == [Block("sh", "\n".join(map(printable, lines)))]
    assert next(token.type for token in READER.parse(text)) == "fence"
    assert shown(text)[1] == "After."


@given(st.dictionaries(TEXTS, TEXTS | st.none() | st.lists(TEXTS, max_size=2), max_size=3))
def test_json_is_read_back(data: dict[str, object]) -> None:
    """A block of JSON gives back the data exactly, and holds no control character."""
    text = "\n".join(json_block(data))
    [block] = fenced_blocks(text)
    assert json.loads(block.code) == data
    assert all(letter.isprintable() for letter in text.replace("\n", ""))


def test_json_is_set_in_by_two() -> None:
    """As people write it."""
    assert json_block({"a": ["b"]}) == [
        "```json", "{", '  "a": [', '    "b"', "  ]", "}", "```"
    ]  # fmt: skip


KEYS = st.from_regex(r"[a-z]{1,5}", fullmatch=True) | st.sampled_from(["yes", "no", "null", "a: b"])


@given(st.dictionaries(KEYS, TEXTS, max_size=3))
def test_metadata_are_read_back(metadata: dict[str, str]) -> None:
    """YAML reads the strings that were written, but for rare ends of lines."""
    yaml_text, rest = split_card(f"{front_matter(metadata)}\nBody\n---\n")
    spaced = {key: re.sub("[\x85\u2028\u2029]", " ", each) for key, each in metadata.items()}
    assert (yaml.safe_load(yaml_text) or {}) == spaced
    assert rest == "Body\n---\n"


def test_fences_pair_as_a_reader_pairs_them() -> None:
    """A fence left open holds the rest, and a shorter one closes nothing."""
    assert fenced_blocks("```json\n{}\n") == []
    assert fenced_blocks("````json\n```\n````\n```sh\n") == [Block("json", "```")]


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    """A card that an editor has saved is taken apart like any other."""
    assert split_card("\ufeff---\r\na: 1\r\n---\r\nText\r\n") == ("a: 1\n", "Text\n")


MARKS = ["<!-- fair_datasets: begin cda -->", "<!-- fair_datasets: end cda -->"]


TEXTS_OF_MERGING = st.lists(st.sampled_from(["a", "\n", "# T\n", "---\n", "é", *MARKS])).map(
    "".join
)


@given(before=TEXTS_OF_MERGING, section=TEXTS_OF_MERGING)
def test_what_stands_outside_stays(before: str, section: str) -> None:
    """Whatever the text, even one with stray markers, nothing of it is lost the first time."""
    card = merge_card(f"---\nlicense: mit\n---\n{before}", f"x{section}", "other")
    assert card_parts(card)[1].startswith(before)


@given(before=TEXTS_OF_MERGING, first=TEXTS_OF_MERGING, second=TEXTS_OF_MERGING)
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
        ["a0: &a0 {x: 1}", *(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 99))]
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
