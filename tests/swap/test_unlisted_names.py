"""People whose first name no list has."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, verify
from fair_datasets.lexicons import load_lexicon
from fair_datasets.lexicons.shipped import DATA
from fair_datasets.reader import Tagged
from fair_datasets.reader.matching import rows as matching_rows
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.token_batch import Places, TokenBatch
from fair_datasets.reader.names.given_names import is_mostly_given
from fair_datasets.reader.tags import FAMILY, GIVEN, PEOPLE, TAGS
from fair_datasets.swap import undo, unlisted_names
from fair_datasets.swap.drawn_names import RULE
from fair_datasets.swap.rewriting import Rows

NAMES = {form.text: gender for entry in load_lexicon("first_names").entries
         for gender, forms in entry.forms.items() for form in forms}  # fmt: skip
GIVEN_NAMES = ("Xyla", "Joran", "Zorvan", "Ylvie", "Mary-Xyla", "Jean-Luc", "Xÿla",
               "Obinna")  # fmt: skip


DOUBTFUL = "Soyeon"


class _Knowing:
    """A reader that knows some given names, and doubts one; all other words are family names."""

    def tags(self, words: TokenBatch, places: Places) -> Tagged:
        """Tag words."""
        known = {part.lower() for name in GIVEN_NAMES for part in name.split("-")}
        known |= {name.lower() for name in NAMES if is_mostly_given(name.lower())}
        is_given = [words.lower(place) in known for place in places.tolist()]
        tags = np.where(is_given, GIVEN, FAMILY).astype(np.int8)
        shares = np.eye(len(TAGS))[tags] + np.eye(len(TAGS))[PEOPLE]
        is_doubtful = [words.lower(place) == DOUBTFUL.lower() for place in places.tolist()]
        shares[np.ix_(is_doubtful, [GIVEN, FAMILY])] = 0.3, 0.2
        return Tagged(places, tags, shares)


@pytest.fixture(autouse=True)
def _reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fair_datasets.reader.load.shipped", _Knowing)


def _edits(*texts: str, **options: Any) -> tuple[dict[str, str], list[str]]:
    columns = [f"text_{number}" for number in range(len(texts))]
    swap = CounterfactualSwap(columns=columns, mode="replace", provenance=True, **options)
    result = swap({column: [text] for column, text in zip(columns, texts, strict=True)})
    edits = {edit["before"]: edit["after"] for edit in result["edits"][0]}
    return edits, [result[column][0] for column in columns]


@pytest.mark.parametrize("text", ["Xyla lost her final.", "Xyla Brown said so. She left.",
                                  "Dr. Xyla Brown and her dog", "XYLA'S MOTHER: Xyla",
                                  "his wife Xyla", "Jean-Luc lost his final."])  # fmt: skip
def test_the_name_is_replaced_with_the_pronoun(text: str) -> None:
    """By a name of the other side's list, and the provenance tells it."""
    edits, (after,) = _edits(text)
    ((before, name),) = ((old, new) for old, new in edits.items() if old in GIVEN_NAMES)
    is_man = NAMES[name] == "man"
    assert is_man is (before != "Jean-Luc")
    assert before.lower() not in after.lower()


def test_a_name_of_a_culture_stays_where_no_culture_lists_any_of_the_target() -> None:
    """As listed names do, of which none is neutral."""
    _, (after,) = _edits("Obinna lost his final.", target="non-binary")
    assert after == "Obinna lost their final."


@pytest.mark.parametrize("text", ["Xyla left.", "Mary met Xyla.", "Mr. Xyla lost his case.",
                                  "John Xyla lost his final.", "@Xyla lost her final.",
                                  "J. Xyla and her dog",
                                  "xyla lost her final.", "O'Xyla lost her final.",
                                  "She met a Xyla-led group."])  # fmt: skip
def test_a_name_stays_of_which_nothing_is_told(text: str) -> None:
    """So do surnames and parts of other words."""
    edits, _ = _edits(text)
    kept, _ = _edits(text, unlisted_names="keep")
    assert edits == kept


def test_what_is_a_surname_somewhere_in_the_row_is_no_first_name() -> None:
    """Whoever is called by the surname later keeps it."""
    assert _edits("Mary Xyla lost. Xyla's dog missed her.")[1][0].count("Xyla") == 2
    assert _edits("Mrs. Xyla lost.", "Xyla's dog missed her.")[1][1].startswith("Xyla's")


def test_all_mentions_go_one_way_over_all_texts_of_a_row() -> None:
    """In texts in which no pronoun stands as well; with accents or without."""
    _, (first, second, third) = _edits("Xyla lost her final.", "Poor Xyla!", "Rain, Xÿla?")
    name = first.split()[0]
    assert (second, third) == (f"Poor {name}!", f"Rain, {name}?")


def test_a_name_is_spelt_as_in_its_own_part_of_a_long_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which need not be the first part."""
    text = f"She sang{'!' * 40} It was I who saw that Obinna lost his final."
    whole = _edits(text)
    parts_of = matching_rows.parts_of
    monkeypatch.setattr(matching_rows, "MAX_CHUNK_CHARS", 50)
    monkeypatch.setattr(matching_rows, "parts_of", lambda text: parts_of(text, 50))
    assert _edits(text) == whole
    assert "Obinna" in whole[0]


def test_no_two_people_of_a_row_get_one_name() -> None:
    """Nor one that somebody in the row has or gets."""
    text = "Xyla, Ylvie, Joran, Zorvan, Mary, John, James and Barbara said she left."
    _, (after,) = _edits(text)
    names = [word.strip(",") for word in after.split() if word.istitle()]
    assert len(set(names)) == 8


def test_a_noun_before_a_name_tells_whose_it_is() -> None:
    """Where women and men are told of; else the nearer words and the ending of the name do."""
    edits, _ = _edits("He saw his wife Zorvan.")
    assert NAMES[edits["Zorvan"]] == "man"
    edits, _ = _edits("He left his wife; Zorvan and he stayed.")
    assert NAMES[edits["Zorvan"]] == "woman"
    edits, _ = _edits("Zorvan told Brown that she lost her bet to him.")
    assert NAMES[edits["Zorvan"]] == "woman"


def test_a_row_is_left_where_nothing_tells_who_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the words around nor the ending of the name."""
    monkeypatch.setattr(unlisted_names, "share_of_women", lambda _: 0.5)
    assert _edits("He saw Xyla, as she left.")[0] == {}
    edits, _ = _edits("Xyla, she left. " + "It rained. " * 20 + "He ran.")
    assert NAMES[edits["Xyla"]] == "man"


def test_rows_are_left_where_it_is_asked_for() -> None:
    """With the reason; rows without such people are rewritten."""
    swap = CounterfactualSwap(columns="text", mode="replace", unlisted_names="leave")
    texts = ["Xyla lost her final.", "Mary lost her final."]
    assert swap({"text": texts})["text"] == [texts[0], "John lost his final."]
    (row, _) = swap.read(Rows([(text,) for text in texts], [None, None]))
    (reading,) = row.readings
    assert reading is not None
    assert {each.reason for each in reading.skipped} == {Reason.UNLISTED_NAME}
    assert {each.rule for each in reading.skipped} == {"rows.unlisted_name"}


@pytest.mark.parametrize("text", [
    "Soyeon lost her keys.", "We met Soyeon, and she left.", "This is Soyeon's house; she left.",
    "Soyeon, a waitress, left.", "Soyeon is an actress.", "My sister Soyeon laughed.",
    "Thank you, Soyeon! You have been a sister to me.", "Soyeon Brown met John. She left.",
    "प्रिया lost her keys.", "My sister 소연 laughed.", "Наталья, my aunt, sold a cow.",
    "Kim Min-ji lost her keys.", "Ji-eun Park lost her keys.",
    # A phrase before its subject, a noun or a pronoun that names somebody, and lists of names.
    "In her youth, Soyeon sang.", "Her name is Soyeon.", "My sister is called Soyeon.",
    "The waitress, Soyeon, laughed.", "Soyeon and Xyla are sisters.",
    "Congratulations, Soyeon! What a proud mother you must be.",
])  # fmt: skip
def test_a_row_is_left_of_which_half_of_a_person_would_change(text: str) -> None:
    """Where a word would move that may be about somebody whose name stays."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    (row,) = swap.read(Rows([(text,)], [None]))
    assert row.counterfactual is None
    assert Reason.HALF_CHANGED in {each.reason for each in row.readings[0].skipped}  # type: ignore[union-attr]


@pytest.mark.parametrize("text", [
    "In Soyeon she lost her keys.", "Mary met Soyeon, and she left.", "Soyeon met the waitress.",
    f"Soyeon ran. {'It rained. ' * 30} She left.", "Soyeon has a sister.", "The sister, Soyeon!",
    "Soyeon sang. The word “привет” pleased my sister.", "The waitress met Soyeon in 서울.",
])  # fmt: skip
def test_a_row_is_rewritten_where_the_word_is_about_somebody_else(text: str) -> None:
    """Somebody of the same gender is told of, the word names a place, or it is far away."""
    edits, (after,) = _edits(text)
    assert edits
    assert "Soyeon" in after


@pytest.mark.parametrize(("text", "is_left"), [
    ("Mary met Jackson, and he left.", True), ("Mary met Jackson, and she left.", False),
    ("Mary met the waiter in Jackson.", False), ("Don't be angry, he said.", False),
    ("Tigist hugged John and gave him her scarf.", True), ("Aunt Tigist bakes bread.", True),
    ("Mrs. Tigist bakes bread.", False), ("Gratefully, he left.", False),
    ("Her name is Наталья.", True),
])  # fmt: skip
def test_a_row_is_left_by_weak_evidence(
    text: str, is_left: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A listed name of which nothing shows that it is one, or a new word that does something."""
    monkeypatch.undo()
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert (swap({"text": [text]})["text"][0] == text) == is_left


@pytest.mark.parametrize("text", ["Tom has his page at www.tom-smith.example.",
                                  "Tom sells his art at tomsmith.com.",
                                  "Tom keeps his notes in tom.py."])  # fmt: skip
def test_a_name_stays_that_a_site_or_a_file_repeats(text: str) -> None:
    """With its row."""
    assert _edits(text)[0] == {}


@pytest.mark.parametrize("options", [{"names": False}, {"unlisted_names": "keep"},
                                     {"protect": "Xyla"}, {"protect": "Xyla Brown"},
                                     {"source": "man"}])  # fmt: skip
def test_the_name_is_kept_where_it_should_be(options: dict[str, Any]) -> None:
    """Where names are not read, somebody is protected, or women are not rewritten."""
    _, (after,) = _edits("Xyla Brown lost her final.", **options)
    assert after.startswith("Xyla Brown")


def test_only_whom_the_protected_name_names_is_protected() -> None:
    """Somebody else of that first name is not."""
    _, (after,) = _edits("Xyla Smith lost her final.", protect="Xyla Brown")
    assert "Xyla" not in after


def test_the_rule_is_told() -> None:
    """It is a mention like others, which the confidence counts."""
    swap = CounterfactualSwap(columns="text", confidence=True)
    texts = [("Xyla lost her final.",), ("Mary lost her final.",)]
    unlisted, listed = swap.read(Rows(texts, [None, None]))
    assert unlisted.readings[0] is not None
    assert unlisted.readings[0].mentions[0].rule == RULE
    assert unlisted.confidence is not None
    assert listed.confidence is not None
    assert unlisted.confidence < listed.confidence


def test_names_are_drawn_by_the_row() -> None:
    """By its id where there is one, whatever stands beside it in the batch; and by the seed."""
    texts = [f"Xyla lost her final {number} times." for number in range(20)]
    swap = CounterfactualSwap(columns="text", mode="replace")
    together = swap({"text": texts})["text"]
    assert together == [swap({"text": [text]})["text"][0] for text in texts]
    assert len({text.split()[0] for text in together}) > 10
    by_id = CounterfactualSwap(columns="text", mode="replace", id_column="id")
    same = by_id({"text": texts, "id": [1] * len(texts)})["text"]
    assert len({text.split()[0] for text in same}) == 1
    assert CounterfactualSwap(columns="text", mode="replace", seed=1)({"text": texts})["text"] != (
        together
    )


def test_a_very_long_row_goes_one_way() -> None:
    """Over all of its parts."""
    text = "Xyla lost her final. " + "It rains. " * 30_000 + "Xyla won her final."
    _, (after,) = _edits(text)
    assert "Xyla" not in after
    assert after.split()[0] == after.split()[-4]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from([*GIVEN_NAMES, "Mary", "Brown", "she", "his wife", "met", ".", "and"]),
        min_size=1,
    )
)
def test_what_is_replaced_comes_back(parts: list[str]) -> None:
    """The provenance restores every text; and no name is written twice for two."""
    text = " ".join(parts)
    swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
    result = swap({"text": [text]})
    assert undo(result["text"][0], result["edits"][0]) == text
    names = {edit["before"]: edit["after"] for edit in result["edits"][0]
             if edit["before"] in ("Xyla", "Joran", "Zorvan", "Ylvie")}  # fmt: skip
    assert len(set(names.values())) == len(names)


def test_a_rewrite_with_another_name_is_accepted() -> None:
    """As that of a listed name is; a rewrite that keeps the name is as before."""
    before = "Xyla Brown lost her keys."
    (after,) = CounterfactualSwap(columns="text", mode="replace")({"text": [before]})["text"]
    assert verify(before, after, target="man").accepted
    assert verify(before, "Xyla Brown lost his keys.").accepted
    assert not verify(before, "Mary Brown lost his keys.").accepted
    assert not verify(before, "Table Brown lost his keys.").accepted


@pytest.fixture
def igbo(tmp_path: Path) -> str:
    """The words of gender with two pairs of names, as `docs lexicons` shows it."""
    rows = "Chidi\tNgozi\t\tname\t\nEmeka\tAdaeze\t\tname\t\n"
    (tmp_path / "igbo.tsv").write_text((DATA / "gender.tsv").read_text("utf-8") + rows, "utf-8")
    return str(tmp_path / "igbo.tsv")


@pytest.mark.parametrize(("text", "after"), [
    ("Ngozi lost her keys.", "Chidi lost his keys."),
    ("Emeka called his sister, and Mary.", "Adaeze called her brother, and John."),
    ("Aunt Ngozi met her son.", "Uncle Chidi met his daughter."),
    ("Women like Ngozi met Dr. Obi.", "Men like Chidi met Dr. Obi."),
    # A name that stays: behind a title, before a surname, and in small letters.
    ("Dr. Ngozi Okafor lost her keys.", ""), ("ngozi lost her keys.", ""),
    ("Prof. Chidi Eze came. Chidi gave his talk.", ""),
    # Somebody else's pronoun.
    ("Mary lost her keys at Dr. Ngozi Okafor's.", "John lost his keys at Dr. Ngozi Okafor's."),
])  # fmt: skip
def test_names_of_ones_own_change_with_their_pronouns(text: str, after: str, igbo: str) -> None:
    """Or nothing of the row does."""
    assert _edits(text, axis=igbo, target=("man", "woman"))[1] == [after or text]


@pytest.mark.parametrize(
    ("text", "options", "is_left"),
    [
        ("Wilson said that he left.", {}, True),
        ("Mary said that she left.", {}, False),
        # Only what changes is asked about, and nothing where such names are kept.
        ("Wilson said that he saw Mary.", {"source": "woman"}, False),
        ("Wilson said that he left.", {"unlisted_names": "keep"}, False),
        ("Wilson said that he left.", {"names": False}, False),
    ],
)
def test_a_listed_name_that_is_hardly_one_here_leaves_the_row(
    text: str, options: dict[str, Any], is_left: bool
) -> None:
    """The reader takes "Wilson" for a surname, as which the tables have it more often."""
    swap = CounterfactualSwap(columns="text", mode="replace", **options)
    assert (swap({"text": [text]})["text"][0] == text) == is_left


@pytest.mark.parametrize("axes", [("gender", "race"), ("race", "gender")])
def test_a_name_is_doubted_in_whatever_order_the_axes_stand(axes: tuple[str, ...]) -> None:
    """A name that two axes read stands twice in the table."""
    swap = CounterfactualSwap(columns="text", axis=axes, joint=True, names=True, mode="replace")
    (row,) = swap.read(Rows([("Wilson said that he left.",)], [None]))
    skipped = [each for reading in row.readings if reading for each in reading.skipped]
    assert Reason.DOUBTED_NAME in {each.reason for each in skipped}


def test_why_a_listed_name_is_doubted_is_told() -> None:
    """With the name as it is written."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    (row,) = swap.read(Rows([("WILSON said that he left.",)], [None]))
    skipped = [each for reading in row.readings if reading for each in reading.skipped]
    assert {each.explanation for each in skipped if each.is_of_row} == {
        "'WILSON' may be a surname, or no person's name"
    }
