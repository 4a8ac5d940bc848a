"""Tests of reading a user's own lexicon: what is accepted, and every sentence of refusal."""

import codecs
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import InputError
from fair_datasets.cards.markdown import fenced_blocks
from fair_datasets.lexicons import Form, Lexicon, lexicon_files, load_lexicon
from fair_datasets.lexicons.shipped import DATA
from fair_datasets.lexicons.shipped import _shipped as shipped_names

GOOD = "home\taway\nhost\tguest\n"


def written(folder: Path, content: str | bytes, name: str = "team.tsv") -> Path:
    """Write a lexicon's file and return its path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(path: Path) -> str:
    """Return the sentence in which a lexicon's file is refused."""
    with pytest.raises(InputError) as caught:
        Lexicon.from_tsv(path)
    return str(caught.value)


@pytest.mark.parametrize("content", [
    GOOD,
    GOOD.rstrip("\n"),
    GOOD.replace("\n", "\r\n"),
    f"\n{GOOD}\n \n".replace("\n", "\n\n"),
    codecs.BOM_UTF8 + GOOD.encode(),
    codecs.BOM_UTF8 + GOOD.replace("\n", "\r\n\r\n").encode(),
], ids=["plain", "no last line end", "CRLF", "blank lines", "BOM", "BOM and CRLF"])  # fmt: skip
def test_editors_may_write_the_file_as_they_do(content: str | bytes, tmp_path: Path) -> None:
    """Line ends, blank lines and a byte-order mark make no difference."""
    lexicon = Lexicon.from_tsv(written(tmp_path, content))
    assert lexicon.name == "team"
    assert lexicon.attributes == ("home", "away")
    assert lexicon.counterparts == {"home": "away", "away": "home"}
    assert [entry.forms for entry in lexicon.entries] == [
        {"home": (Form("host"),), "away": (Form("guest"),)}
    ]
    assert lexicon.exceptions == ()


def test_a_row_is_read_with_its_details(tmp_path: Path) -> None:
    """Forms, flags, kind, inflection and the line are there; notes and figures are not forms."""
    header = "a\tb\tc\tkind\tinflection\tnote\ta_births"
    row = "host[verb,thing]|Head waiter\tguest[target]\t\trole\tsingular\ta note\t12"
    lexicon = Lexicon.from_tsv(written(tmp_path, f"{header}\n{row}\n"))
    (entry,) = lexicon.entries
    assert lexicon.attributes == ("a", "b", "c")
    assert lexicon.counterparts == {}
    assert lexicon.neutral == ""
    assert entry.forms == {"a": (Form("host", frozenset({"verb", "thing"})), Form("Head waiter")),
        "b": (Form("guest", frozenset({"target"})),), "c": ()}  # fmt: skip
    assert [form.is_read for form in (*entry.forms["a"], *entry.forms["b"])] == [True, True, False]
    assert (entry.kind, entry.inflection, entry.line) == ("role", "singular", 2)


@pytest.mark.parametrize(
    "form", ["O'Brien", "O’Brien", "ladies' man", "mother-in-law", "12 señores", "C++[target]"]
)
def test_forms_that_can_be_found_or_are_only_written_are_accepted(
    form: str, tmp_path: Path
) -> None:
    """Words with a space, hyphen or apostrophe between them are read; [target] may be anything."""
    lexicon = Lexicon.from_tsv(written(tmp_path, f"home\taway\nhost\t{form}\n"))
    assert lexicon.entries[0].forms["away"][0].text == form.removesuffix("[target]")


def test_a_form_may_be_written_in_many_rows(tmp_path: Path) -> None:
    """Only what is read has to be unique; the cases of a pronoun and a title may share a form."""
    rows = "host\tguest\nowner\tguest[target]\nlord[title]\tguest[title]\n"
    pronouns = "him\ther\tpronoun\nhis\ther\tpronoun\n"
    assert len(Lexicon.from_tsv(written(tmp_path, f"a\tb\n{rows}")).entries) == 3
    assert len(Lexicon.from_tsv(written(tmp_path, f"a\tb\tkind\n{pronouns}")).entries) == 2


def test_exceptions_are_read_from_the_file_beside(tmp_path: Path) -> None:
    """The phrases of `<name>.exceptions.tsv` are left alone, wherever its header stands."""
    path = written(tmp_path, GOOD)
    written(tmp_path, "\nphrase\treason\na host of\tmany\n\n", "team.exceptions.tsv")
    assert Lexicon.from_tsv(path).exceptions == ("a host of",)
    files = lexicon_files(str(path))
    assert list(files) == [str(path), f"{path}.exceptions"]


def test_a_lexicon_is_read_anew_after_an_edit(tmp_path: Path) -> None:
    """An untouched lexicon is loaded once per process; an edited one is loaded again."""
    path = written(tmp_path, GOOD)
    first = load_lexicon(str(path))
    assert load_lexicon(str(path)) is first
    written(tmp_path, GOOD.replace("guest", "visitor"))
    assert load_lexicon(str(path)).entries[0].forms["away"] == (Form("visitor"),)


def test_what_is_for_people_is_no_attribute(tmp_path: Path) -> None:
    """A column of figures, and `note` with all that stands behind it."""
    content = ("home\taway\tvotes\tshare\tkind\tnote\texample\n"
        "host\tguest\t28\t93.5%\trole\tsure\tthe host, he said\n"
        "hosts\tguests\t\t1e-3\trole\t\t\n")  # fmt: skip
    lexicon = Lexicon.from_tsv(written(tmp_path, content))
    assert lexicon.attributes == ("home", "away")
    assert [entry.forms["away"][0].text for entry in lexicon.entries] == ["guest", "guests"]


PAGE = Path(__file__).parents[2] / "fair_datasets" / "docs" / "lexicons.md"


def loaded(folder: Path, content: str) -> Any:
    """Load a user's own lexicon."""
    (folder / "mine.tsv").write_text(content, encoding="utf-8")
    return load_lexicon(str(folder / "mine.tsv"))


@pytest.mark.parametrize("content", [
    "man\twoman\nman\twoman\nhe\tshe\n",
    "man\twoman\nhe\tshe\n",
    "Man\tWoman\nman\twoman\n",
    "male\tfemale\nhe\tshe\n",
    "boy\tgirl\nboy\tgirl\nboys\tgirls\n",
    "boy\tgirl\nboy[target]\tgirl[target]\nlad|boy scout\tlass\n".replace(
        "boy[target]\tgirl[target]\n", ""
    )
    .replace("lad", "boy[target]|lad")
    .replace("lass", "girl|lass"),
    "king\tqueen\tkind\nactor\tactress\trole\n",
    "he\tshe\tnote\nhim\ther\t\n",
    "home\taway\nhost\tguest\n",
    "urban\trural\ntown\tvillage\n",
    "christian\tmuslim\nchurch\tmosque\n",
    "young\told\nkid\tpensioner\n",
    "rich\tpoor\nmillionaire\tpauper\n",
    "Faith\tDoubt\nbeliever\tsceptic\n",
    "group a\tgroup b\nred\tblue\n",
])  # fmt: skip
def test_a_header_that_names_attributes(tmp_path: Path, content: str) -> None:
    """Names of attributes may be terms too, where their column lists them; qualities are names."""
    lexicon = loaded(tmp_path, content)
    assert list(lexicon.attributes) == content.split("\n")[0].split("\t")[:2]


def test_what_ships_and_the_documentation_have_headers(tmp_path: Path) -> None:
    """Each shipped lexicon can be copied and used under another name, and so can the page's."""
    for name in shipped_names():
        content = (DATA / f"{name}.tsv").read_text("utf-8")
        assert loaded(tmp_path, content).attributes == load_lexicon(name).attributes
    (example,) = (
        block.code for block in fenced_blocks(PAGE.read_text("utf-8")) if block.language == "tsv"
    )
    assert loaded(tmp_path, example).attributes == ("man", "woman", "non-binary")
