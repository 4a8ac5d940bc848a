"""Texts in other languages are left alone, and English ones with names and quotations are not."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.english.other_languages import in_other_languages
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.swap.rewriting.skipped import collect_skip_reasons

FOREIGN = (
    "Los hombres de la ciudad son los que he visto con mi madre.",
    "Der man und die Frau sind nicht mit ihm auf dem Boot.",
    "Jag har sett att han inte är en av de men som det var.",
    "Ce son est dans la chanson que vous aimez avec elle.",
    "O actor que você viu não é o mesmo dos filmes.", "Mary her gün okula gidiyor ve eve dönüyor.",
    "John kila siku huenda shuleni na kurudi nyumbani.", "Jennifer zei dat de trein te laat was.",
    "Mary a casa", "JOHN EST ARRIVÉ HIER SOIR AVEC DES AMIS",
    "Мария сказала, что John придёт завтра.",
    'Mary vit "The Sound of Music" hier soir avec des amis.',
    "\ud800 Marie a perdu son chat hier soir dans la rue.",
)  # fmt: skip
ENGLISH = (
    "He met Oscar de la Renta and Vincent van der Berg in El Paso.",
    "She sang La Vie en Rose and Je ne regrette rien for her mother.", "de la Cruz, his son, left.",
    "Her name is Maria.", "Nguyễn Thị Minh Khai lost her keys.",
    "Wojciech Szczęsny kissed his wife.", "Mary, José, Søren, Nguyễn, Wojciech", "Mary Szczęsny",
    "A devout waitress met popes.", "Her résumé", "JOSÉ MET MARY",
    "He finna go see his mama, she been had dat", "John 3 @maria http://t.co/xyzabc #vamosmary",
    'Her abuela said: "Mi casa es su casa, hijo mío", and kissed him.',
)  # fmt: skip


@pytest.mark.parametrize("text", FOREIGN)
def test_a_text_in_another_language_is_left_alone(text: str) -> None:
    """Its words may be spelt like English ones, and names be those of the lists."""
    assert {term.reason for term in find_terms(text)} == {Reason.OTHER_LANGUAGE.value}
    assert CounterfactualSwap(columns="text", mode="replace")({"text": [text]})["text"] == [text]


@pytest.mark.parametrize("text", ENGLISH)
def test_an_english_text_with_foreign_names_is_read(text: str) -> None:
    """Names, quotations, addresses and the spelling of a dialect are no other language."""
    assert any(term.attribute and not term.reason for term in find_terms(text))


def test_each_text_is_told_by_itself() -> None:
    """Whatever stands beside it in the batch, and of those that are asked about."""
    texts = TokenBatch([*FOREIGN, *ENGLISH])
    assert in_other_languages(texts, np.arange(len(texts.texts))).tolist() == [*range(len(FOREIGN))]
    assert in_other_languages(texts, np.array([1, len(FOREIGN)])).tolist() == [1]


def test_a_row_is_counted_and_a_message_is_told_by_itself() -> None:
    """A row of which nothing changes counts as left; of a conversation the others change."""
    swap = CounterfactualSwap(columns=("a", "b"), mode="replace")
    rows = [(FOREIGN[1], FOREIGN[2]), (FOREIGN[1], "She ran."), ("Rain.", FOREIGN[5])]
    counts: Counter[str] = Counter()
    with collect_skip_reasons(counts=counts):
        result = swap({"a": [a for a, _ in rows], "b": [b for _, b in rows]})
    assert result["a"] == [a for a, _ in rows]
    assert result["b"] == [FOREIGN[2], "He ran.", FOREIGN[5]]
    assert counts == {Reason.OTHER_LANGUAGE.value: 2}


def test_a_conversation_is_left_where_a_name_would_stay_in_another_message() -> None:
    """Each message is told by itself, but nobody has two names."""
    swap = CounterfactualSwap(columns="messages[].content", mode="replace")
    asked = [{"content": "Mary est arrivée hier soir."}, {"content": "Mary was tired."}]
    other = [asked[0], {"content": "Then his mother was tired."}]
    assert swap({"messages": [asked, other]})["messages"] == [
        asked, [asked[0], {"content": "Then her father was tired."}],
    ]  # fmt: skip


def test_a_list_of_ones_own_may_be_in_another_language(tmp_path: Path) -> None:
    """Then no text is in another."""
    path = tmp_path / "parientes.tsv"
    path.write_text("man\twoman\nhermano\thermana\nchico\tchica\n", encoding="utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace", names=False)
    texts = ["Mi hermano vive en la ciudad de los ángeles.", "Un chico."]
    assert swap({"text": texts})["text"] == [
        "Mi hermana vive en la ciudad de los ángeles.", "Un chica.",
    ]  # fmt: skip
