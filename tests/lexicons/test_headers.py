"""A file whose header was forgotten is told from one whose header names attributes."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.cards.markdown import fenced_blocks
from fair_datasets.lexicons import load_lexicon
from fair_datasets.lexicons.shipped import DATA
from fair_datasets.lexicons.shipped import _shipped as shipped_names

PAGE = Path(__file__).parents[2] / "fair_datasets" / "docs" / "lexicons.md"


def loaded(folder: Path, content: str) -> Any:
    """Load a user's own lexicon."""
    (folder / "mine.tsv").write_text(content, encoding="utf-8")
    return load_lexicon(str(folder / "mine.tsv"))


@pytest.mark.parametrize(
    "content",
    [
        "he\tshe\nhim\ther\nhis\thers\n",
        "king\tqueen\nactor\tactress\n",
        "boy\tgirl\nman\twoman\n",
        "Mr\tMrs\nSir\tMadam\n",
        "\nking\tqueen\n\nactor\tactress\n",
        "John\tMary\nJames\tLinda\n",
        "church\tmosque\nBible\tKoran\n",
        "kid\tpensioner\nyouth\tretiree\n",
        "he\tshe\tthey[target]\nhim\ther\tthem[target]\n",
        "dad|daddy\tmom|mommy\ngent\tgal\n",
        "vegan\tomnivore\nvegans\tomnivores\n",
        "country boy\tcity boy\nvillage\ttown\nCountry boys\tcity boys\n",
        "family\tloner\nfamilies\tloners\n",
        "prince\tprincess\troyalty\nduke\tduchess\tpeerage\n",
    ],
)
def test_a_forgotten_header(tmp_path: Path, content: str) -> None:
    """The first pair does not become the names of attributes; the sentence says what to write."""
    with pytest.raises(InputError) as caught:
        loaded(tmp_path, content)
    line = 2 if content.startswith("\n") else 1
    assert str(caught.value).startswith(f"{tmp_path}/mine.tsv, line {line}: ")
    assert "write a first line that names the attributes, such as man and woman." in str(
        caught.value
    )


@pytest.mark.parametrize(
    "content",
    [
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
    ],
)
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


def test_the_swap_refuses_it(tmp_path: Path) -> None:
    """Nobody gets to choose the target 'she'."""
    (tmp_path / "mine.tsv").write_text("he\tshe\nman\twoman\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.tsv, line 1: 'he' is a term, and no row lists it"):
        CounterfactualSwap(columns="text", axis=str(tmp_path / "mine.tsv"))
