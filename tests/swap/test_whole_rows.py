"""Rows of which no counterfactual reads true."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.reader.matching import rows as matching_rows
from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Reason
from fair_datasets.swap import whole_rows as module
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.whole_rows import counting_left, left_rows


def _swap(axis: str, target: str | None, *, source: str | None = None) -> CounterfactualSwap:
    return CounterfactualSwap(
        columns="text", axis=axis, mode="replace", source=source, target=target
    )


def _after(text: str, axis: str, target: str | None, source: str | None = None) -> str:
    swap = _swap(axis, target, source=source)
    written = [new.texts[0] for _, new in swap.rewrite(Rows([(text,)], ["key"]))]
    return written[0] or "" if written else text


def _reasons(text: str, axis: str, target: str | None) -> set[Reason]:
    (row,) = _swap(axis, target).read(Rows([(text,)], ["key"]))
    return {left.reason for reading in row.readings if reading for left in reading.left}


@pytest.mark.parametrize(
    ("axis", "target", "text", "reason"),
    [
        ("religion", "hindu", "The Pope greeted Catholics.", Reason.TIED),
        ("religion", "hindu", "Muslims live as the hadith says.", Reason.TIED),
        ("religion", "hindu", "Jews founded the Jewish Museum.", Reason.TIED),
        ("religion", "hindu", "Trinity Church is a church.", Reason.TIED),
        ("religion", "hindu", "We met Rabbi Hillel.", Reason.TIED),
        ("religion", "hindu", "Catholics and Protestants met.", Reason.CONTRAST),
        ("religion", "hindu", "The Shia scholar met Sunnis.", Reason.CONTRAST),
        ("nationality", "german", "The Scottish cook met an Englishman.", Reason.CONTRAST),
        ("nationality", "german", "The Dutch cook left Germany.", Reason.TIED),
        ("religion", "atheist", "The devout Muslim left.", Reason.TIED),
        ("religion", "atheist", "Catholics own this chapel.", Reason.NO_FORM),
        ("religion", "muslim", "Christians and Jews live here.", Reason.CONTRAST),
        ("religion", "muslim", "Muslims like Christians.", Reason.CONTRAST),
        ("nationality", "german", "The Dutch cook is from Holland.", Reason.TIED),
        ("nationality", "german", "The Greek cook spoke Greek.", Reason.TIED),
        ("nationality", "german", "The American cook left the U.S. army.", Reason.TIED),
        ("nationality", "german", "Poles and Danes met.", Reason.CONTRAST),
        ("nationality", "german", "The Danish cook met a German baker.", Reason.CONTRAST),
        ("race", "asian", "Black men wore dreadlocks.", Reason.TIED),
        (
            "race",
            "asian",
            "The African American cook liked African American food, which "
            "African-Americans in Africa ate.",
            Reason.TIED,
        ),
        ("orientation", "lesbian", "He is gay.", Reason.TIED),
        ("orientation", "heterosexual", "Gay people fear homophobia.", Reason.TIED),
        ("orientation", "bisexual", "Gay people fear homophobia.", Reason.TIED),
        ("orientation", "lesbian", "Patrick Field, a gay singer, left.", Reason.TIED),
        ("orientation", "asexual", "A gay homosexual dictator fell.", Reason.TWICE),
        ("orientation", "asexual", "Gay people of the Gay Ruler Club left.", Reason.NAMED),
        ("race", "asian", "Hispanic or Latino people came.", Reason.TWICE),
        ("race", "asian", "Brady Black is a Black man.", Reason.NAMED),
        ("religion", "sikh", "A Muslim priest left.", Reason.CONTRAST),
        ("religion", "sikh", "We met at Koufa mosque.", Reason.TIED),
        ("religion", "sikh", "Ann came for Turner A.M.E. Church's feast, they said.", Reason.TIED),
        ("religion", "sikh", "Any jew knows Jewish people.", Reason.TIED),
        ("age", "adult", "Infants and young children sleep.", Reason.TWICE),
        ("age", "adult", "It was her 13th birthday, and the teenager sang.", Reason.AGES),
        ("age", "senior", "The kid did his homework.", Reason.TIED),
        ("gender", "woman", "My cat lost his bell.", Reason.ANIMAL),
        ("race", "white", "Black people fear the Ku Klux Klan.", Reason.TIED),
        ("age", "adult", "The teen aged 19 left.", Reason.AGES),
        ("age", "adult", "She left at the age of 58.", Reason.NO_FORM),
        ("age", "senior", "The toddlers left kindergarten.", Reason.TIED),
        ("age", "child", "The young man met his wife.", Reason.TIED),
        ("age", "child", "She was 12 when I turned 30; aged 40, she left.", Reason.AGES),
        ("age", "senior", "She sang at age 12 and at age 20 she wrote.", Reason.AGES),
        ("age", "senior", "Born in 1930, he died in 1980 at age 50.", Reason.AGES),
        ("age", "senior", "At age 12 she was two years older than her friend.", Reason.AGES),
    ],
)
def test_a_row_is_left_alone(axis: str, target: str, text: str, reason: Reason) -> None:
    """What would contradict the rest of the row is not written, and the reason is told."""
    assert _after(text, axis, target) == text
    assert reason in _reasons(text, axis, target)


@pytest.mark.parametrize(
    ("axis", "target", "text", "told"),
    [
        ("religion", "hindu", "The Pope met Catholics.", "tied to 'christian' by 'Pope'"),
        ("religion", "christian", "Hindus like the Pope.",
         "'Pope' does not go with becoming 'christian'"),
        ("religion", "atheist", "A devout Muslim left.",
         "'devout' does not go with becoming 'atheist'"),
        ("religion", "hindu", "Jews like the Jewish Museum.", "tied to 'jewish' by 'Jewish'"),
        ("religion", "hindu", "Catholics and Protestants met.",
         "two groups of the row would become one"),
        ("religion", "hindu", "Trinity Church fed Catholics.", "tied to 'christian' by 'Trinity'"),
        ("religion", "hindu", "We met Rabbi Hillel.",
         "tied to 'jewish' by the name with 'Rabbi'"),
        ("age", "adult", "She left at the age of 58.", "'adult' has no word for 'age of 58'"),
        ("nationality", "german", "Poles and Danes met.", "two groups of the row would become one"),
    ],
)  # fmt: skip
def test_the_reason_names_what_ties_the_row(axis: str, target: str, text: str, told: str) -> None:
    """The word, and the group to which it is tied."""
    (row,) = _swap(axis, target).read(Rows([(text,)], ["key"]))
    assert row.counterfactual is None
    reasons = {each.told for reading in row.readings if reading for each in reading.left}
    assert told in reasons


@pytest.mark.parametrize(
    ("axis", "source", "target", "text", "after"),
    [
        ("religion", None, "muslim", "Jews like Jewish food.", "Muslims like Muslim food."),
        ("religion", None, "hindu", "The church fed Catholics.", "The Hindu temple fed Hindus."),
        ("religion", None, "muslim", "A Jew met Jews.", "A Muslim met Muslims."),
        ("religion", "jewish", "muslim", "Jews met the Pope.", "Muslims met the Pope."),
        ("religion", None, "hindu", "Jews are Jewish people.", "Hindus are Hindu people."),
        ("religion", "jewish", "muslim", "Jews met Hindus.", "Muslims met Hindus."),
        (
            "nationality", None, "polish", "An Irish cook likes Irish politics.",
            "A Polish cook likes Polish politics.",
        ),
        ("nationality", None, "polish", "The Greek fell in Iraq.", "The Pole fell in Iraq."),
        ("nationality", None, "polish", "A Danish actor won the Danish Film Award.",
         "A Polish actor won the Danish Film Award."),
        ("age", None, "senior", "She sang at age 17.", "She sang at age 90."),
        ("age", None, "adult", "The toddlers sang.", "The adults sang."),
        ("race", None, "asian", "A white man met black men.", "An Asian man met Asian men."),
        ("race", None, "asian", "A black man in a black shirt.", "An Asian man in a black shirt."),
        ("race", None, "native-american", "black Americans sang", "Native Americans sang"),
        ("race", None, "black", "North American Indians sang.", "North American Indians sang."),
        ("race", None, "black", "A white man was white and trembling.",
         "A Black man was white and trembling."),
        ("religion", None, "jewish", "Christians read the Old Testament.",
         "Jewish people read the Old Testament."),
        ("orientation", None, "lesbian", "Gay people fear homophobia.",
         "Lesbian people fear homophobia."),
        ("orientation", None, "lesbian", "The gay cook left.", "The lesbian cook left."),
        ("orientation", None, "bisexual", "Gay people like gay culture.",
         "Bisexual people like bisexual culture."),
    ],
)  # fmt: skip
def test_a_row_is_rewritten(
    axis: str, source: str | None, target: str, text: str, after: str
) -> None:
    """Things go with their group, and what is tied to another group changes nothing."""
    assert _after(text, axis, target, source) == after


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("She is 42 years old.", {"child"}),
        ("At the age of 8 she sang.", {"middle-aged", "senior"}),
    ],
)
def test_ages_in_figures_are_drawn_near(text: str, never: set[str]) -> None:
    """A grown person is never drawn to be a child, nor a child to be fifty or older."""
    swap = CounterfactualSwap(columns="text", axis="age", mode="replace", provenance=True)
    texts = [f"{text} {number}" for number in "abcdefghijklmnopqrst"]
    drawn = {edit["attribute"] for edits in swap({"text": texts})["edits"] for edit in edits}
    assert drawn
    assert not drawn & never


def test_a_walk_with_a_dog_is_a_persons() -> None:
    """Where a person is told of, or owns the animal, the pronouns are theirs."""
    texts = ["The man and a cat lost his bell.", "Her dog bit her.", "Tom's cat lost his bell."]
    for text in texts:
        assert _after(text, "gender", None) != text


def test_groups_that_change_places_stay_apart() -> None:
    """Where targets are drawn, no two groups of a row become one."""
    for key in range(20):
        swap = _swap("religion", None)
        ((_, new),) = swap.rewrite(Rows([("Sikhs met Hindus.",)], [str(key)]))
        first, *_, second = (new.texts[0] or "").rstrip(".").split(" met ")
        assert first != second


def test_the_other_axes_of_a_row_are_rewritten() -> None:
    """A row that is left alone on one axis is rewritten on the others."""
    swap = CounterfactualSwap(
        columns="text", axis=("gender", "religion"), mode="replace", joint=True,
        target=("muslim", "woman"), source=("christian", "man"),
    )  # fmt: skip
    rows = Rows([("He and the Vatican met Catholics.",), ("He met Catholics.",)], [None, None])
    written = [new.texts[0] for _, new in swap.rewrite(rows)]
    assert written == ["She and the Vatican met Catholics.", "She met Muslims."]


def _made_neutral(text: str, target: str | None = None) -> str:
    swap = CounterfactualSwap(columns="text", mode="replace", target=target)
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Thanks, mom, he left.", Reason.CALL),
        ("I told dad about it.", Reason.CALL),
        ("He told Mother about it.", Reason.CALL),
        ("Aunt Mary and her son left.", Reason.CALL),
        ("Count Dracula bit her.", Reason.CALL),
        ("Men earn more than women.", Reason.GENDER),
        ("Two males and a female laid eggs.", Reason.THING),
        ("His father is a cook and his mother a plumber.", Reason.CONTRAST),
        ("His mom is a cook and his father a plumber.", Reason.CONTRAST),
        ("The husband should have listened to his wife.", Reason.CONTRAST),
        ("It is sexist to say that women drive badly.", Reason.GENDER),
        ("I read that women are paid less.", Reason.GENDER),
    ],
)
def test_a_row_is_left_that_loses_its_sense(text: str, reason: Reason) -> None:
    """There is no word without a gender by which a mother is called."""
    swap = CounterfactualSwap(columns="text", mode="replace", target="non-binary")
    (row,) = swap.read(Rows([(text,)], [None]))
    assert row.counterfactual is None
    assert {left.reason for reading in row.readings if reading for left in reading.left} == {reason}
    assert _made_neutral(text) != text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("My mom left.", "My parent left."),
        ("His mother and his uncle left.", "Their parent and their relative left."),
        ("My brothers and sisters left.", "My siblings left."),
        ("Two women danced with other men.", "Two people danced with other people."),
        ("Women dancing on a stage.", "People dancing on a stage."),
        ("He met 3 men and 2 old women.", "They met 3 people and 2 old people."),
        ("He is a dad of two.", "They are a parent of two."),
        ("King Philip left.", "Monarch Philip left."),
        ("The man saw a taller woman.", "The person saw a taller person."),
        ("He is taller than his mother.", "They are taller than their parent."),
        ("She is a girl of 23.", "They are a young person of 23."),
        ("She is a girl of 5.", "They are a child of 5."),
        ("The girls at the office left.", "The young people at the office left."),
        ("He hired a call girl.", "They hired a sex worker."),
        ("A 49-year-old male, a cook, fell.", "A 49-year-old person, a cook, fell."),
        ("A male nurse fell.", "A nonbinary nurse fell."),
    ],
)
def test_a_row_is_rewritten_without_gender(text: str, after: str) -> None:
    """Where nobody is called, and girls may be grown up."""
    assert _made_neutral(text, "non-binary") == after


@pytest.mark.parametrize(
    "text",
    [
        "Emperor Zhuangzong died. He was old, and his daughter fled.",
        "They followed King Athanagild and his guards.",
    ],
)
def test_a_title_that_stays_keeps_its_row(text: str) -> None:
    """The title goes with a name that nothing is known of; the pronouns would contradict it."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    (row,) = swap.read(Rows([(text,)], [None]))
    assert row.counterfactual is None
    reasons = {left.reason for reading in row.readings if reading for left in reading.left}
    assert Reason.TITLED in reasons


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Emperor Zhuangzong died. She fled.", "Emperor Zhuangzong died. He fled."),
        ("King Philip died. He was old.", "Queen Lori died. She was old."),
    ],
)
def test_other_rows_are_rewritten(text: str, after: str) -> None:
    """Where the title is of the other gender, or its name is listed."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [text]})["text"] == [after]


def test_without_a_gender_nothing_contradicts_a_title() -> None:
    """They may be an emperor."""
    swap = CounterfactualSwap(columns="text", mode="replace", target="non-binary")
    text = "Emperor Zhuangzong died. He fled."
    assert swap({"text": [text]})["text"] == ["Emperor Zhuangzong died. They fled."]


SENTENCES = (
    "She gave birth.", "He trimmed his beard.", "She is a waitress.", "He ran.", "It rains.",
    "Mary is the first woman to fly.", "The pregnancy was long.", "A nurse left.",
)  # fmt: skip


def _with_facts(*texts: str, **options: object) -> list[str]:
    swap = CounterfactualSwap(columns="text", mode="replace", **options)  # type: ignore[arg-type]
    written: list[str] = swap({"text": list(texts)})["text"]
    return written


@pytest.mark.parametrize(
    "text",
    [
        "As a new mother she breastfed her son. He slept.",
        "He trimmed his beard.",
        "She trimmed his beard.",
        "He needs a prostate exam.",
        "My aunt is pregnant.",
        "He was ordained a priest.",
        "Is that her maiden name?",
        "She played in the Women's National League.",
        "He joined the Sigma Chi fraternity.",
        "She was the first African American woman to vote there.",
        "She fought for women's suffrage.",
        "He left. Then he played in the NFL.",
        "The frigate and her crew were lost.",
        "She was launched in 1906.",
        "She is a femme fatale.",
    ],
)
def test_a_row_that_tells_a_fact_is_left_alone(text: str) -> None:
    """The whole row is, with the reason; unless it is asked for."""
    assert _with_facts(text) == [text]
    (row,) = CounterfactualSwap(columns="text").read(Rows([(text,)], [None]))
    left = [each for reading in row.readings if reading for each in reading.left if each.is_of_row]
    assert {(each.reason, each.rule) for each in left} == {(Reason.FACT, "rows.fact")}
    assert _with_facts(text, leave_facts=False) != [text]


@pytest.mark.parametrize(("between", "is_left"), [(47, True), (48, False)])
def test_fifty_words_behind_somebody_known_may_be_about_them(between: int, is_left: bool) -> None:
    """Of a name; what is further away in a long row is about somebody else."""
    text = f"Lady Gaga won. They sang {'very ' * between}. She left."
    assert (_with_facts(text) == [text]) == is_left


def test_a_row_about_somebody_whom_everybody_knows_is_left_alone() -> None:
    """Where the sentence mentions whoever bears the name, and not where nobody else is meant."""
    text = "Lady Gaga won with her song, and Jesus asked Felix to do him a favor."
    assert _with_facts(text) == [text]
    (row,) = CounterfactualSwap(columns="text").read(Rows([(text,)], [None]))
    left = {each.reason for reading in row.readings if reading for each in reading.left}
    assert Reason.KNOWN_PERSON in left
    assert _with_facts("We love Jesus. She left.") == ["We love Jesus. He left."]
    assert _with_facts(text, leave_facts=False) != [text]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("He said that the work was pregnant with hope.", None),
        ("She left. The beard of a goat is long.", None),
        ("She met James Beard.", None),
        ("The first woman I saw was kind.", "The first woman I saw was kind."),
        ("She likes beards.", "He likes beards."),
    ],
)
def test_a_fact_of_nobody_in_its_sentence(text: str, after: str | None) -> None:
    """A row is rewritten whose sentence with the fact mentions nobody it would be untrue of."""
    assert (_with_facts(text) == [after]) if after else (_with_facts(text) != [text])


def test_what_is_no_contradiction_is_rewritten() -> None:
    """Bodies say nothing of people who are neither; a woman's being the first one does."""
    texts = ("She gave birth.", "He has a beard.", "She is the first woman to fly.")
    written = _with_facts(*texts, target="non-binary")
    assert written == ["They gave birth.", "They have a beard.", texts[2]]


def test_whom_the_fact_is_told_of_has_to_change() -> None:
    """Where women stay women, what is told of them stays true."""
    text = "He is the father of the pregnant woman."
    assert _with_facts(text, source="man") == ["She is the mother of the pregnant woman."]
    assert _with_facts(text) == [text]


def test_a_lexicon_of_ones_own_has_the_facts_of_its_attributes(tmp_path: Path) -> None:
    """Whatever its name is."""
    path = tmp_path / "mine.tsv"
    path.write_text("man\twoman\nhe\tshe\n")
    texts = ("She gave birth.", "She ran.")
    assert _with_facts(*texts, axis=str(path)) == ["She gave birth.", "He ran."]


def test_other_axes_are_rewritten() -> None:
    """The fact is about gender; with several columns, it is about the row."""
    text = "The Black waitress is pregnant."
    assert _with_facts(text, axis=("gender", "race"), target=("man", "white"), joint=True) == [
        "The white waitress is pregnant."
    ]
    swap = CounterfactualSwap(columns=("a", "b"), mode="replace")
    batch = {"a": ["She is pregnant.", "She ran."], "b": ["She left.", "She left."]}
    assert swap(batch) == {"a": ["She is pregnant.", "He ran."], "b": ["She left.", "He left."]}


@given(st.lists(st.sampled_from(SENTENCES), max_size=5).map(" ".join))
def test_a_row_is_left_or_written_as_without_the_list(text: str) -> None:
    """The list changes nothing else."""
    assert _with_facts(text)[0] in (text, _with_facts(text, leave_facts=False)[0])


def test_the_switch_is_checked() -> None:
    """By the sentence of all switches."""
    with pytest.raises(InputError, match="leave_facts must be True or False"):
        CounterfactualSwap(columns="text", leave_facts="no")  # type: ignore[arg-type]


ROWS = [("The Pope met a Catholic.", None), ("A Catholic left.",), ("Muslims met Christians.",)]


def test_each_row_has_targets_of_its_own() -> None:
    """What is a contrast for one target is none for another."""
    table = table_of("religion", owner="test")

    def targets(number: int) -> Targets:
        return {("religion", "christian"): "muslim" if number == 2 else "hindu"}

    assert left_rows(ROWS, targets, table) == {0: Reason.TIED, 2: Reason.CONTRAST}
    assert left_rows(ROWS, targets(0), table) == {0: Reason.TIED}
    assert left_rows(ROWS, {}, table) == {}


def test_rows_are_counted_where_anybody_asks() -> None:
    """Each row once for each axis and reason, however many mentions it has."""
    swap = CounterfactualSwap(columns="text", axis="religion", target="hindu", mode="replace")
    rows = Rows([("The Pope met Catholics and Catholics.",), ("Jews and Muslims met.",)], [1, 2])
    counts: Counter[str] = Counter()
    with counting_left(counts):
        list(swap.rewrite(rows))
        list(swap.rewrite(rows))
    list(swap.rewrite(rows))
    assert counts == {Reason.TIED.value: 2, Reason.CONTRAST.value: 2}


def test_nothing_is_read_where_no_row_is_ever_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the axis of gender."""
    monkeypatch.setattr(module, "chunks", None)
    targets = {("gender", "man"): "woman"}
    assert left_rows([("A king left.",)], targets, table_of("gender", owner="test")) == {}


def test_chunks_that_share_a_row_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no others."""
    monkeypatch.setattr(matching_rows, "TOGETHER", 20)
    monkeypatch.setattr(matching_rows, "parts_of", lambda text: [
        (start, min(start + 20, len(text))) for start in range(0, len(text), 20)
    ])  # fmt: skip
    rows = [("She left.",), ("He ran. " * 9,), ("He left.",)]
    table = table_of("gender", owner="test")
    found = [
        sorted({row for chunk in several for row in chunk.row_of.tolist()})
        for several in matching_rows.together(matching_rows.chunks(rows, [table]))
    ]
    assert len(list(matching_rows.chunks(rows, [table]))) > len(found)
    assert sorted(row for several in found for row in several) == [0, 1, 2]
