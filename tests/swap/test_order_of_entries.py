"""The order of a lexicon's lines changes nothing."""

from pathlib import Path

import pytest

from fair_datasets import CounterfactualSwap

LINES = (
    "he\tshe\tpronoun\tsubject",
    "him\ther\tpronoun\tobject",
    "his\ther\tpronoun\tdeterminer",
    "his\thers\tpronoun\tpossessive",
    "mr\tmrs\ttitle\tsingular",
    "king\tqueen\ttitle\tsingular",
    "father[verb]\tmother[verb]\tkinship\tsingular",
    "father in law\tmother in law\tkinship\tsingular",
    "male[thing]\tfemale[thing]\tperson\tadjective",
    "males\tfemales\tperson\tplural",
)
TEXTS = {
    "Her book was hers, and I saw her.": "His book was his, and I saw him.",
    "His book was his, and I saw him.": "Her book was hers, and I saw her.",
    "She is Mrs. Lee, my mother.": "He is Mr. Lee, my father.",
    "The queen met her mother in law.": "The king met his father in law.",
    "A female nurse saw the females.": "A male nurse saw the males.",
}


@pytest.mark.parametrize("first", [1, 2, 4, 7, 8])
def test_the_first_line_is_read_as_any_other(first: int, tmp_path: Path) -> None:
    """Also one of several cases, a title, a phrase, and a word of several uses."""
    lines = "\n".join(["man\twoman\tkind\tinflection", *LINES[first:], *LINES[:first]])
    (tmp_path / "gender.tsv").write_text(lines, "utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(tmp_path / "gender.tsv"), mode="replace")
    assert swap({"text": [*TEXTS]})["text"] == [*TEXTS.values()]
