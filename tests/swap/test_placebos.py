"""Placebo versions of rows that a swap changes."""

import csv
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import lexicon_files, load_lexicon
from fair_datasets.reader.english.lists import words
from fair_datasets.swap.placebos import Placebos, RowDivider, like_names, placebos_of
from fair_datasets.swap.rewriting import Rows

SWAP = CounterfactualSwap(columns="text")
# Function words and nouns in about as many rows as the words that are swapped.
FUNCTION = sorted(words("mostly_function_words"))
NOUNS = sorted(words("mostly_nouns"))[::12]
TRAINING = [(f"he she him her his {a} {b}",) for a, b in itertools.product(FUNCTION[:9], NOUNS[:9])]
TRAINING += [(" ".join(FUNCTION),)] * 60 + [(" ".join([*NOUNS, "waiter", "waitress"]),)] * 40
ROWS = [
    ("He told him that John saw a waiter.",), ("HER book!",), ("John and Peter ran; she slept.",),
    ("Mary's actor is an actress.",),
]  # fmt: skip


def placebos(*rows: str, count: int = 9, seed: int = 0) -> Placebos:
    """Draw placebo versions, with words counted in the rows above."""
    return placebos_of(
        [(row,) for row in rows], SWAP, training=TRAINING, count=count, seed=seed
    )  # fmt: skip


def test_versions_are_those_of_the_swap_in_the_order_of_the_attributes() -> None:
    """Whichever attribute a row mentions; a row of both is first as it is."""
    found = placebos("He ran.", "She sang.", "He saw her.", "Rain.")
    assert found.attributes == ("man", "woman")
    assert found.numbers.tolist() == [0, 1, 2]
    assert found.own.tolist() == [0, 1, -1]
    first, second = found.versions()
    assert first == [("He ran.",), ("He sang.",), ("He saw her.",)]
    assert second == [("She ran.",), ("She sang.",), ("She saw him.",)]


def test_a_family_is_one_row() -> None:
    """A duplicate and a counterfactual of an earlier row are left out."""
    assert placebos("He ran.", "He ran.", "She ran.", "He sang.").numbers.tolist() == [0, 3]


def test_a_draw_is_one_mapping_and_changes_the_same_places() -> None:
    """A word has one placebo in all rows of a draw, written in its letter case; all else stays."""
    found = placebos("He ran.", "I saw HE left, he said.", "She sang.")
    for draw in range(found.draws):
        first, second = found.placebo_versions(draw)
        (he, _), (she, _) = first[0][0].split(" "), second[0][0].split(" ")
        assert he.lower() != she.lower()
        assert he[0].isupper()
        he, she = he.lower(), she.lower()
        assert first[1:] == [(f"I saw {he.upper()} left, {he} said.",), (f"{he.title()} sang.",)]
        assert second[2] == (f"{she.title()} sang.",)


def test_words_are_like_those_that_they_stand_for() -> None:
    """Of the same part of speech, in no lexicon, no name, and in about as many rows."""
    found = placebos(*(row[0] for row in ROWS), count=40)
    counts = {word: sum(word in row[0].split() for row in TRAINING) for word in FUNCTION + NOUNS}
    own = {word: sum(word in row[0].split() for row in TRAINING) for word in ("he", "waiter")}
    for word, kind in (("he", FUNCTION), ("waiter", NOUNS)):
        drawn = set(found.drawn[[slot.word for slot in found.slots].index(word)].tolist())
        assert len(drawn) > 10
        assert drawn <= set(kind)
        assert all(own[word] / 4 <= counts[each] <= 4 * own[word] for each in drawn)
        assert not drawn & {"they", "he", "she", "his", "will", "person", "woman", "old"}


def test_names_keep_gender_frequency_time_and_group() -> None:
    """By the figures of the shipped list, read anew."""
    with lexicon_files("first_names")["first_names"].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    years = {
        row[g].partition("[")[0]: int(row[f"{g}_year"]) for row in rows for g in ("man", "woman")
    }
    births = {row["woman"].partition("[")[0]: int(row["woman_births"]) for row in rows}
    groups = {
        form.text: group
        for entry in load_lexicon("race_first_names").entries
        for group, forms in entry.forms.items()
        for form in forms
    }
    least, most = np.quantile(list(births.values()), (0.5, 0.75))
    found = like_names("luz").tolist()
    assert groups["Luz"] == "hispanic"
    assert len(found) > 3
    assert all(least <= births[name] <= most for name in found)
    assert all(abs(years[name] - years["Luz"]) <= 20 for name in found)
    assert {groups.get(name) for name in found} == {"hispanic"}


def test_two_names_of_a_row_stay_two() -> None:
    """Nobody is given the placebo of another, nor the name of somebody who keeps it."""
    names = like_names("john").tolist()[:12]
    found = placebos(f"John met Peter, Robert and {' and '.join(names[:3])}.", count=99)
    for draw in range(found.draws):
        for versions in found.placebo_versions(draw):
            own = versions[0][0].replace(",", " ").replace(".", " ").split()
            assert len(set(own)) == len(own) - 3  # "and" stands there four times.


def test_what_agrees_is_written_as_in_the_swap() -> None:
    """The article, whatever stands behind it, and the words that both versions have."""
    found = placebos("An actor met his mother-in-law.")
    first, second = found.versions()
    assert second == [("An actress met her father-in-law.",)]
    assert {slot.word for slot in found.slots} == {
        *("actor", "actress", "his", "her", "mother", "father"),
    }
    assert all("-in-law" in each[0][0] for each in found.placebo_versions(0))
    swap = CounterfactualSwap(columns="text", axis="age", source="senior", target="young")
    found = placebos_of([("An old man saw a child.",)], swap, training=TRAINING, count=2)
    first, second = found.versions()
    assert (first, second) == ([("An old man saw a child.",)], [("A young man saw a child.",)])


def test_rows_with_words_like_no_others_have_no_placebos() -> None:
    """They are told with their words, and the other rows keep theirs."""
    rows = [("He ran.",), ("A duchess and he sang.",), ("John left.",)]
    often = [*TRAINING, *[("duchess duke",)] * 300]
    found = placebos_of(rows, SWAP, training=often, count=3)
    assert found.controlled.tolist() == [True, False, True]
    assert found.lacking == [("duchess", 1), ("duke", 1)]
    assert len(found.placebo_versions(0)[0]) == 2
    assert found.kinds.tolist() == ["words", "words", "names"]


@pytest.mark.slow
@given(st.lists(st.sampled_from(ROWS), unique=True, min_size=1), st.integers(0, 3))
def test_what_is_drawn_depends_on_the_words_alone(rows: list[tuple[str]], seed: int) -> None:
    """Not on how many draws there are, nor on the order of the rows."""
    few = placebos_of(rows, SWAP, training=TRAINING, count=3, seed=seed)
    many = placebos_of(rows[::-1], SWAP, training=TRAINING, count=5, seed=seed)
    for draw in range(3):
        first, second = many.placebo_versions(draw)
        assert few.placebo_versions(draw) == (first[::-1], second[::-1])


def test_equal_texts_are_asked_about_once() -> None:
    """And each version gets its own answer."""
    asked: list[tuple[str, ...]] = []

    def length(rows: list[tuple[str, ...]]) -> np.ndarray:
        asked.extend(rows)
        return np.array([len(row[0]) for row in rows])

    found = placebos("He ran.", "She sang!", count=4)
    own, placebo = found.asked(length)
    assert own.tolist() == [[7, 8], [8, 9]]
    assert placebo.shape == (2, 2, 4)
    for draw in range(4):
        versions = found.placebo_versions(draw)
        assert placebo[:, :, draw].T.tolist() == [[len(t[0]) for t in each] for each in versions]
    assert len(asked) == len(set(asked)) or found.draws == 4


@pytest.mark.parametrize("room", [0, 60, 1000])
def test_rows_that_were_read_before_are_divided_alike(room: int) -> None:
    """However many of them are kept, and beside rows that are new or lack a text."""
    rows = [*ROWS, ("Rain.",), ROWS[0]]
    fresh, divider = RowDivider(SWAP), RowDivider(SWAP, room)
    read = [("It snows.",), (None,), *ROWS]
    assert [*divider.keep(read, SWAP.read(Rows(read, [None] * len(read))))]

    def found(divided: RowDivider) -> list[tuple[object, ...]]:
        """Return the rows, with their slots by name."""
        return [
            (row.number, row.attribute, row.swapped(rows[row.number]), *(
                (version.written(), version.texts, [divided.slots[k] for k in version.slots])
                for version in row.versions
            ))
            for row in divided.rows(rows)
        ]  # fmt: skip

    assert found(divider) == found(fresh)
    assert [row[0] for row in found(divider)] == [0, 1, 2, 3, 5]
