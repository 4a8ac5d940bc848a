"""Whatever a text holds, a Markdown reader shows it and does nothing else with it."""

import json

import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fair_datasets.cards.markdown import (
    Block,
    code,
    code_block,
    escaped,
    fenced_blocks,
    front_matter,
    json_block,
    printable,
    split_card,
    table,
)

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
    """YAML reads the strings that were written, but for what cannot be printed."""
    yaml_text, rest = split_card(f"{front_matter(metadata)}\nBody\n---\n")
    assert (yaml.safe_load(yaml_text) or {}) == {k: printable(v) for k, v in metadata.items()}
    assert rest == "Body\n---\n"


def test_fences_pair_as_a_reader_pairs_them() -> None:
    """A fence left open holds the rest, and a shorter one closes nothing."""
    assert fenced_blocks("```json\n{}\n") == []
    assert fenced_blocks("````json\n```\n````\n```sh\n") == [Block("json", "```")]


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    """A card that an editor has saved is taken apart like any other."""
    assert split_card("\ufeff---\r\na: 1\r\n---\r\nText\r\n") == ("a: 1\n", "Text\n")
