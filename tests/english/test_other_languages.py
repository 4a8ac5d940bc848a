"""Texts in other languages."""

import pytest

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.english.other_languages import is_foreign
from fair_datasets.matching.found import Reason
from fair_datasets.matching.words import Words

FOREIGN = (
    "Los hombres de la ciudad son los que he visto con mi madre.",
    "Der man und die Frau sind nicht mit ihm auf dem Boot.",
    "Jag har sett att han inte är en av de men som det var.",
    "Ce son est dans la chanson que vous aimez avec elle.",
    "O actor que você viu não é o mesmo dos filmes.",
)
ENGLISH = (
    "He met Oscar de la Renta and Vincent van der Berg in El Paso.",
    "She sang La Vie en Rose and Je ne regrette rien for her mother.",
    "de la Cruz, his son, left.",
    "Her name is Maria.",
)


@pytest.mark.parametrize("text", FOREIGN)
def test_a_text_in_another_language_is_left_alone(text: str) -> None:
    """Its words may be spelt like English ones."""
    assert is_foreign(Words([text])).all()
    assert {term.reason for term in find_terms(text)} <= {Reason.OTHER_LANGUAGE.value}
    assert CounterfactualSwap(columns="text", mode="replace")({"text": [text]})["text"] == [text]


@pytest.mark.parametrize("text", ENGLISH)
def test_an_english_text_with_foreign_names_is_read(text: str) -> None:
    """It has more small words of its own."""
    assert not is_foreign(Words([text])).any()
    assert any(term.attribute for term in find_terms(text))


def test_three_small_words_tell_it() -> None:
    """Two may be a name."""
    assert is_foreign(Words(["la que con", "la que"])).tolist() == [True, False]


def test_each_text_is_told_by_itself() -> None:
    """Rows of one batch may be in several languages."""
    told = is_foreign(Words([*FOREIGN, *ENGLISH])).tolist()
    assert told == [True] * len(FOREIGN) + [False] * len(ENGLISH)
