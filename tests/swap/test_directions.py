"""Targets, and their draws."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.language import TiedWord
from fair_datasets.reader.matching.mentions import Reason, SkipCause
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.token_batch import Mask, TokenBatch
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap import directions
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.whole_rows import skip_rows

RACE = load_lexicon("race")


@given(st.text(), st.integers())
def test_two_groups_never_become_one(key: str, seed: int) -> None:
    """Where every other attribute is possible, the drawn targets differ from each other."""
    plan = directions.plan_targets(RACE, (), ())
    targets = directions.draw_targets("race", RACE, plan, seed, key)
    assert all(attribute != target for (_, attribute), target in targets.items())
    assert len(set(targets.values())) == len(RACE.attributes)


@given(st.text(), st.integers(), st.sampled_from([(), ("asian", "black"), ("asian",)]))
def test_other_targets_are_those_that_were_not_drawn(
    key: str, seed: int, target: tuple[str, ...]
) -> None:
    """Each attribute gets all of its possible targets in turn, and a single one again and again."""
    plan = directions.plan_targets(RACE, (), target)
    first = directions.draw_targets("race", RACE, plan, seed, key)
    others = directions.other_targets("race", RACE, plan, seed, key)
    assert len(others) == max(map(len, plan.values())) - 1
    for attribute, targets in plan.items():
        drawn = [each["race", attribute] for each in (first, *others)]
        assert drawn[: len(targets)] == [*dict.fromkeys(drawn)]
        assert set(drawn) == set(targets)


def test_every_target_is_drawn_equally_often() -> None:
    """Over many rows each of the five others comes about as often as each other."""
    plan = directions.plan_targets(RACE, (), ())
    drawn = Counter(
        directions.draw_targets("race", RACE, plan, 0, str(key))["race", "white"]
        for key in range(5000)
    )
    assert drawn.keys() == set(RACE.attributes) - {"white"}
    assert all(abs(count - 1000) < 130 for count in drawn.values())


def test_a_target_of_one_axis_says_nothing_of_another() -> None:
    """Each axis takes its own target, and its default where none is given."""
    gender = load_lexicon("gender")
    assert directions.plan_targets(gender, (), ("black",)) == {"man": ("woman",), "woman": ("man",)}
    assert directions.plan_targets(RACE, (), ("man", "black"))["white"] == ("black",)


TEXTS = (
    "Muslims pray.", "The Pope met Catholics.", "Jews met Hindus beside the chapel.", "It rains.",
    "Sikhs read the Old Testament.", "A Buddhist sang of the Lord.", "Catholics met Protestants.",
    "An atheist met a devout Muslim.", "Christians read the Bible and Genesis.",
)  # fmt: skip
KEYS = [str(key) for key in range(60)]


def _swap(
    axis: str = "religion", target: tuple[str, ...] | str | None = None
) -> CounterfactualSwap:
    return CounterfactualSwap(columns="text", axis=axis, mode="replace", target=target)


def _written(swap: CounterfactualSwap, rows: Sequence[tuple[str, str]]) -> list[Row | None]:
    """Return what each row becomes, given its text and its id."""
    found = dict(swap.rewrite(Rows([(text,) for text, _ in rows], [key for _, key in rows])))
    return [found[number].texts if number in found else None for number in range(len(rows))]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(KEYS)), max_size=12))
def test_a_row_is_written_the_same_in_every_batch(rows: list[tuple[str, str]]) -> None:
    """Alone, and among others in any order."""
    swap = _swap()
    alone = [own for row in rows for own in _written(swap, [row])]
    assert _written(swap, rows) == alone
    assert _written(swap, rows[::-1]) == alone[::-1]


def test_a_target_that_does_not_fit_is_drawn_anew() -> None:
    """So that "devout" people never become atheists, and no row is left for it."""
    found = _written(_swap(), [("A devout Muslim left.", key) for key in KEYS])
    groups = {texts[0].split()[2] for texts in found if texts and texts[0]}
    assert None not in found
    assert groups == {"Buddhist", "Christian", "Hindu", "Jewish", "Sikh"}


def test_a_row_for_which_nothing_fits_is_left() -> None:
    """With the reason of its first draw, which is the one that a rerun draws as well."""
    rows = Rows([("The Pope met Catholics.",)], ["key"])
    for _ in range(2):
        (row,) = _swap().read(rows)
        assert row.counterfactual is None
        assert {each.explanation for each in row.readings[0].skipped} == {
            "tied to 'christian' by 'Pope'"
        }


def test_a_target_of_the_user_is_never_drawn_anew() -> None:
    """Of several, another one of them is drawn."""
    rows = [("A devout Muslim left.", key) for key in KEYS]
    assert set(_written(_swap(target="atheist"), rows)) == {None}
    several = _written(_swap(target=("atheist", "sikh")), rows)
    assert set(several) == {("A devout Sikh left.",)}


def _planted(texts: Sequence[str], word: str, never: Sequence[str]) -> tuple[directions.Axis, Rows]:
    """Return an axis on which one word speaks against becoming somebody, and rows."""
    swap = _swap("race")
    lexicon, table = swap.lexicon("race"), swap.table("race")

    def tied(words: TokenBatch, axis: str, is_free: Mask) -> Iterator[TiedWord]:
        for place in range(len(words)):
            if is_free[place] and words.lower(place) == word:
                yield TiedWord(int(words.owner[place]), word, frozenset(), frozenset(never))

    rows = table.language.rows._replace(tied=tied, speaking_against=lambda axis: {"asian": 99})
    language = table.language._replace(rows=rows)
    axis = directions.Axis(
        lexicon, directions.plan_targets(lexicon, (), ()), replace(table, language=language)
    )
    return axis, Rows([(text,) for text in texts], [str(number) for number in range(len(texts))])


def _targets(axis: directions.Axis, rows: Rows) -> tuple[list[str], list[bool]]:
    """Return what Black people become in each row, and whether the row is left."""
    targets = directions.DrawnTargets([axis], rows, seed=0)
    (chunk,) = chunks(rows.texts, [axis.table])
    mentions = skip_rows(chunk, targets, [axis.table]).mentions
    drawn = [targets(row)["race", "black"] for row in range(len(rows.texts))]
    return drawn, (~mentions.is_mention).tolist()


def test_rows_that_fit_at_once_keep_their_first_draw() -> None:
    """Only those are drawn anew that would be left, as often as it takes."""
    never = ["asian", "hispanic", "native-american", "pacific-islander"]
    plain, _ = _targets(*_planted(["A Black man left."] * 40, "sang", never))
    sang, left = _targets(*_planted(["A Black man sang."] * 40, "sang", never))
    assert set(plain) == {*never, "white"}
    assert set(sang) == {"white"}
    assert not any(left)
    sang, left = _targets(*_planted(["A Black man sang."] * 40, "sang", [*never, "white"]))
    assert sang == plain
    assert all(left)


def test_those_come_last_against_whom_many_words_speak() -> None:
    """They are drawn at first as often as others, but anew only where nobody else fits."""
    texts = ["A Black man sang."] * 40
    assert "asian" in _targets(*_planted(texts, "sang", ["white"]))[0]
    drawn, _ = _targets(*_planted(texts, "sang", ["white", "hispanic", "native-american"]))
    first, _ = _targets(*_planted(texts, "left", []))
    anew = {new for new, old in zip(drawn, first, strict=True) if new != old}
    assert anew == {"pacific-islander"}


def test_a_row_in_several_parts_is_not_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another part of it may be written already."""
    axis, rows = _planted(["A Black man sang."], "sang", ["white"])
    left = {0: SkipCause(Reason.TIED)}

    def redrawn() -> object:
        targets = directions.DrawnTargets([axis], rows, seed=0)
        return targets.redraw(left, {0: {"black"}}, axis.table, lambda tried: {})

    assert redrawn() == {}
    monkeypatch.setattr(directions, "MAX_CHUNK_CHARS", 5)
    assert redrawn() == left
