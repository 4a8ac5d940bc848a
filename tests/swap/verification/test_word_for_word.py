"""Rewrites with a counterpart for each mention, one word for one, beside what judges all."""

from collections.abc import Iterator
from itertools import product

import pytest

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.rows import annotate_text
from fair_datasets.swap import verify_all
from fair_datasets.swap.verification import verifying
from fair_datasets.swap.verification.forms import forms_of
from fair_datasets.swap.verification.word_for_word import is_word_for_word

PLAIN = [
    ("He left.", "She left."),
    ("I saw that she was late; her car broke down.", "I saw that he was late; his car broke down."),
    ("Mary met Ann, a woman.", "John met Bob, a man."),
    ("MEN left, then women.", "WOMEN left, then men."),
]
OTHERS = [
    ("He left.", "He left."),
    ("He left.", "They left."),
    ("He left.", "she left."),
    ("He left.", "She  left."),
    ("He left his car.", "She left his car."),
    ("He or she left.", "She or he left."),
    ("A girl scout left.", "A boy scout left."),
    ("Mr. Smith left.", "Mrs. Smith left."),
    ("A woman's car stood there.", "A man's car stood there."),
    ("Mary met Ann.", "John met John."),
    ("Mary met John.", "John met Mary."),
    ("The woman, 30, left.", "The man, 31, left."),
]


@pytest.mark.parametrize("pair", PLAIN)
def test_counterparts_alone(pair: tuple[str, str]) -> None:
    """Each mention becomes its counterpart, and nothing else changes."""
    assert _is_word_for_word(*pair)


@pytest.mark.parametrize("pair", OTHERS)
def test_others(pair: tuple[str, str]) -> None:
    """Whatever needs a look at the words around is judged."""
    assert not _is_word_for_word(*pair)


def _is_word_for_word(before: str, after: str) -> bool:
    table = find_table("gender", names=True, protect=(), pipeline=None, reader=None)
    reading = annotate_text(before, table)
    assert reading is not None
    forms = forms_of("gender", names=True)
    return is_word_for_word(reading, after, forms, load_lexicon("gender").counterparts)


def _varied() -> Iterator[tuple[str, str]]:
    """Give pairs with signs and words put in beside what changed."""
    words = ("he", "she"), ("HE", "SHE"), ("woman", "man"), ("Mary", "John"), ("lady", "gentleman")
    words += ("girls", "boys"), ("John", "Anna"), ("sir", "madam"), ("her", "his"), ("He", "She")
    befores = "", "The ", "'", "``", "old ", "he and ", "Mary ", "x-", "\u00e9", "president "
    behinds = (
        "",
        ".",
        "'s",
        "'s s",
        "' s",
        "`",
        " scout",
        " or she",
        "-friend",
        "\u0301",
        " Anna",
        ".",
    )
    for (old, new), before, behind in product(words, befores, behinds):
        for tail in (" left.", " He left.", ""):
            yield f"{before}{old}{behind}{tail}", f"{before}{new}{behind}{tail}"
            yield (
                f"{before}{old}{behind}{tail}",
                f"{before}{new}{behind}{tail.replace('He', 'She')}",
            )


@pytest.mark.parametrize("target", [None, "woman"])
def test_same_verdicts(target: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told without a judge is what the judge says."""
    befores, afters = map(list, zip(*PLAIN, *OTHERS, *_varied(), strict=True))
    found = verify_all(befores, afters, target=target)
    monkeypatch.setattr(verifying, "is_word_for_word", lambda *_: False)
    assert verify_all(befores, afters, target=target) == found
    assert any(verdict.accepted for verdict in found)
