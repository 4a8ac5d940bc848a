"""Verbs that are joined to a verb and share its subject."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.english.joined_verbs import joined_verbs, verbs_of
from fair_datasets.reader.matching.tokens import tokenize

SWAP = CounterfactualSwap(columns="text", target="non-binary", names=False, mode="replace")

# A sentence, and the same with singular they.
VERBS = [
    ("She bakes and brews.", "They bake and brew."),
    ("He swims, bikes and runs.", "They swim, bike and run."),
    ("He swims, bikes, and runs daily.", "They swim, bike, and run daily."),
    ("She codes and vlogs.", "They code and vlog."),
    ("She skis, skates and snowboards.", "They ski, skate and snowboard."),
    ("He mixes, masters and sells records.", "They mix, master and sell records."),
    ("She bakes & brews.", "They bake & brew."),
    ("She is/was famous.", "They are/were famous."),
    # Adverbs and particles between.
    ("She runs quickly and then rests.", "They run quickly and then rest."),
    ("He picks up and leaves.", "They pick up and leave."),
    ("She wakes up, showers, dresses and leaves.", "They wake up, shower, dress and leave."),
    ("He sings well and always dances.", "They sing well and always dance."),
    ("She likes to bake and brews.", "They like to bake and brew."),
    # Objects between.
    ("She bakes bread and brews beer.", "They bake bread and brew beer."),
    ("He works for a bank and brews beer.", "They work for a bank and brew beer."),
    ("She runs a cafe, bakes bread and brews beer.", "They run a cafe, bake bread and brew beer."),
    ("He cooks dinner, washes dishes and cleans the house.",
     "They cook dinner, wash dishes and clean the house."),
    ("She gets up at six, makes coffee, and reads the paper.",
     "They get up at six, make coffee, and read the paper."),
    ("She sells cars, bikes and fixes trucks.", "They sell cars, bikes and fix trucks."),
    ("He lends tools and helps people.", "They lend tools and help people."),
    # What is joined are the verbs of a clause in between.
    ("She sees the cook who bakes and eats it.", "They see the cook who bakes and eats it."),
    ("She sits while her cook bakes and sings.", "They sit while their cook bakes and sings."),
    ("She knows what the shop sells and buys it.", "They know what the shop sells and buys it."),
    ("She sees who bikes and brews beer.", "They see who bikes and brews beer."),
    ("She sings when she can and is happy.", "They sing when they can and are happy."),
    # What is joined are nouns.
    ("She sells drinks and snacks.", "They sell drinks and snacks."),
    ("She loves walks and hikes.", "They love walks and hikes."),
    ("He likes dogs, cats and birds.", "They like dogs, cats and birds."),
    ("She needs bikes, boats or skates.", "They need bikes, boats or skates."),
    ("He talks to people and pets.", "They talk to people and pets."),
    ("She wants to bake bread and snacks.", "They want to bake bread and snacks."),
    ("She works in bars and clubs.", "They work in bars and clubs."),
    ("He takes pictures and videos of it.", "They take pictures and videos of it."),
    ("She thinks cats and dogs bark.", "They think cats and dogs bark."),
    ("She sees trains and buses everywhere.", "They see trains and buses everywhere."),
    ("He stands, arms folded.", "They stand, arms folded."),
    ("He stands, arms and legs crossed.", "They stand, arms and legs crossed."),
    # Another subject.
    ("She jokes and friends laugh.", "They joke and friends laugh."),
    ("He swims, Ann bikes and Tom runs.", "They swim, Ann bikes and Tom runs."),
    ("He knows that Ann swims, bikes and runs.", "They know that Ann swims, bikes and runs."),
    ("It swims, bikes and runs.", "It swims, bikes and runs."),
]  # fmt: skip


def test_joined_verbs_agree() -> None:
    """All verbs of a subject that becomes they are plural, and nothing else changes."""
    assert [(text, SWAP({"text": [text]})["text"][0]) for text, _ in VERBS] == VERBS


# How many words may stand in a gap so that a verb behind it is found.
GAPS = [
    ("She{} is right.", " really", "are right", 11),
    ("She, despite{} rain, is right.", " old", "are right", 9),
    ("She who has{} bread is lucky.", " brown", "are lucky", 9),
    ("She bakes{} bread and brews beer.", " brown", "brew beer", 17),
]


@pytest.mark.parametrize(("text", "word", "after", "most"), GAPS)
def test_verbs_are_found_near_their_subject(text: str, word: str, after: str, most: int) -> None:
    """Farther away they stay as they are, as nobody can tell whose they are."""
    texts = [text.format(word * count) for count in (most, most + 1)]
    assert [after in found for found in SWAP({"text": texts})["text"]] == [True, False]


WORDS = ["swims", "bikes", ",", "and", "&", "/", "up", "beer", "of", "is", "was", "the", "seeing"]


@given(st.lists(st.sampled_from(WORDS)))
def test_joined_verbs_are_words_in_order(words: list[str]) -> None:
    """Whatever the text, they are different words behind the verb, in the order of the text."""
    tokens = tokenize(" ".join(["sings", *words]))
    found = list(joined_verbs(tokens, 0, False))
    assert found == sorted(set(found))
    assert all(0 < position < len(tokens.lower) for position in found)


@pytest.mark.parametrize(("text", "verbs"), [
    ("She really sings.", ["sings"]),
    ("She’s here and isn't ill.", ["s", "isn"]),
    ("Isn't she here?", ["Isn"]),
    ("Is he or she here?", ["Is"]),
    ("Is he/she here?", ["Is"]),
    ("She went home and is ill.", ["went", "is"]),
    ("She (the boss, I think) sings.", ["sings"]),
    ("She and I are here.", []),
    ("It was she.", []),
    ("Why is she here?", ["is"]),
    ("Why isn't she here?", ["isn"]),
    ("Why is n't she here?", ["is"]),
    ("Why is not she here?", ["is"]),
    ("Is not she here?", ["Is"]),
    ("What's she like?", ["s"]),
    ("Here's she.", []),
    ("It's she.", []),
    ("T she sings.", ["sings"]),
    ("n't she sings.", ["sings"]),
    ("Is s/he here?", ["Is"]),
    ("Where was he or she then?", ["was"]),
    ("or she is here", ["is"]),
    ("Here is she.", ["is"]),
    ("Proof is she sings.", ["sings"]),
    ("Proof is she.", ["is"]),
    ("A b b b b b is she.", []),
    ("A b b b b b b is she.", ["is"]),
    ("She. Sings.", []),
    ("she", []),
])  # fmt: skip
def test_the_verbs_of_the_last_pronoun(text: str, verbs: list[str]) -> None:
    """The words that are its verbs, before or behind it."""
    tokens = tokenize(text)
    index = max(i for i, word in enumerate(tokens.lower) if word in ("he", "she"))
    assert [tokens.words[position] for position in verbs_of(tokens, index)] == verbs


@given(st.text(alphabet="heshe and is's,.(-\n", max_size=40), st.data())
def test_verbs_are_words_in_order(text: str, data: st.DataObject) -> None:
    """Whatever the text, the verbs are different words in the order of the text."""
    tokens = tokenize(text)
    if tokens.words:
        index = data.draw(st.integers(0, len(tokens.words) - 1))
        found = verbs_of(tokens, index)
        assert found == sorted(set(found))
        assert all(0 <= position < len(tokens.words) for position in found)
        assert index not in found
