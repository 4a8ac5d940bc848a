"""The table of forms: a user's own forms and exceptions, and how phrases are compared."""

from pathlib import Path

import pytest

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.table import table_files


def _swapped(folder: Path, rows: str, text: str, exceptions: str = "", header: str = "a\tb") -> str:
    """Swap a text with a user's own lexicon."""
    path = folder / "own.tsv"
    path.write_text(f"{header}\n{rows}\n", encoding="utf-8")
    if exceptions:
        beside = folder / "own.exceptions.tsv"
        beside.write_text(f"phrase\treason\n{exceptions}\n", encoding="utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace")
    return str(swap({"text": [text]})["text"][0])


def test_an_exception_of_one_word_is_never_read(tmp_path: Path) -> None:
    """The word is left alone by itself, but a phrase with it is still read."""
    rows = "king\tqueen\nking of arms\tqueen of arms\nduke\tduchess"
    text = "The King, a king of arms and a duke."
    after = "The King, a queen of arms and a duchess."
    assert _swapped(tmp_path, rows, text, "king\tx") == after


def test_an_exception_of_one_word_holds_for_first_names(tmp_path: Path) -> None:
    """A first name can be left out as well."""
    text = "Peter saw the man and Paul."
    after = _swapped(tmp_path, "man\twoman", text, "Peter\tx", header="man\twoman")
    assert after.startswith("Peter saw the woman and ")
    assert not after.endswith("Paul.")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("O'Brien came.", "O'Malley came."),
        ("Then Mr O’Brien came.", "Then Mr O'Malley came."),
        ("'O'Brien' and O'BRIEN", "'O'Malley' and O'MALLEY"),
        ("o'brien, O Brien, O-Brien", "o'brien, O Brien, O-Brien"),
    ],
)
def test_a_form_with_an_apostrophe_is_found(text: str, after: str, tmp_path: Path) -> None:
    """What follows an apostrophe gives no phrase away, so the word before it does."""
    assert _swapped(tmp_path, "O'Brien\tO'Malley", text) == after


@pytest.mark.parametrize("text", ["a ladies' man", "a ladies’ man", "a ladies’\nman"])
def test_quotes_and_spaces_in_phrases_may_be_of_any_kind(text: str, tmp_path: Path) -> None:
    """A phrase is the same with curly quotes and across a line end."""
    rows, exceptions = "man\twoman\nmen\tladies", "ladies' man\tx"
    assert _swapped(tmp_path, rows, text, exceptions) == text
    assert _swapped(tmp_path, rows, "a ladies man", exceptions) == "a men woman"


@pytest.mark.parametrize("text", ["the ladies' maids", "the ladies’ maids", "the ladies’ maid"])
def test_shipped_phrases_are_read_with_curly_quotes(text: str) -> None:
    """A form of the gender lexicon with an apostrophe is read as a whole."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    after = "the valets" if text.endswith("s") else "the valet"
    assert swap({"text": [text]})["text"] == [after]


def test_first_names_are_no_axis() -> None:
    """The list of first names is refused as an axis, in a sentence with the axes that exist."""
    told = "Lexicon: axis must be one of 'age', .*'religion', but it is 'first_names'."
    with pytest.raises(InputError, match=told):
        CounterfactualSwap(columns="text", axis="first_names")
    with pytest.raises(InputError, match=told):
        table_files("first_names", names=False)
    assert load_lexicon("first_names").attributes == ("man", "woman")
