"""Tests of what verification accepts, and of the faults that it tells."""

import pytest

from fair_datasets import InputError, verify
from fair_datasets.swap import Fault, restore, verify_all

GOOD = [
    ("He is a waiter.", "She is a waitress.", {}),
    ("He is here and has a car.", "They are here and have a car.", {"target": "non-binary"}),
    ("He's here; isn't he?", "They're here; aren't they?", {"target": "non-binary"}),
    ("He lost his hat.", "Xe lost xyr hat.", {"target": "non-binary"}),
    ("He lost his hat.", "Fae lost faer hat.", {"target": "non-binary"}),
    ("An actress left.", "A performer left.", {"target": "non-binary"}),
    ("He or she may go.", "They may go.", {"target": "non-binary"}),
    ("Isn't he ill? He's got it.", "Aren't they ill? They've got it.", {"target": "non-binary"}),
    ("Is he or she ill?", "Are they ill?", {"target": "non-binary"}),
    ("They read the news.", "He reads the news.", {"word": "They", "target": "man"}),
    ("He saw himself.", "They saw themselves.", {"target": "non-binary"}),
    (
        "He lost his hat and hers.",
        "Ze lost hir hat and hers.",
        {"target": "non-binary", "word": "He"},
    ),
    ("It is the ladies' car.", "It is the gentlemen's car.", {}),
    ("It is the gentlemen's car.", "It is the ladies' car.", {}),
    ("Mr. Smith left.", "Miss Smith left.", {}),
    ("Mr Smith left.", "Mrs. Smith left.", {}),
    ("John lost his hat.", "Barbara lost her hat.", {"target": "woman"}),
    ("John lost his hat.", "Alexis lost their hat.", {"target": "non-binary"}),
    ("He met the count.", "She met the countess.", {"target": "woman"}),
    ("He was a houseboy.", "She was a housegirl.", {"target": "woman"}),
    ("The gentleman left.", "The woman left.", {}),
    ("A Latina chef", "An Asian woman chef", {"axis": "race", "target": "asian"}),
    ("An Asian woman left.", "A Latina left.", {"axis": "race", "target": "hispanic"}),
    ("An African-American actor", "A white actor", {"axis": "race"}),
    ("A 40-year-old nurse", "An 80-year-old nurse", {"axis": "age", "target": "senior"}),
    ("She is eleven years old.", "She is 75 years old.", {"axis": "age", "target": "senior"}),
    ("A child, aged 7, left.", "An adult, aged 29, left.", {"axis": "age", "target": "adult"}),
    (
        "A child, aged 7, left.",
        "An older adult, aged 77, left.",
        {"axis": "age", "target": "senior"},
    ),
    ("He, aged 7, is a child.", "He, aged 29, is an adult.", {"axis": "age"}),
    ("A young man, aged 30, left.", "A man, aged 30, left.", {"axis": "age", "target": "adult"}),
    ("The boys left.", "The men left.", {"axis": "age", "target": "adult"}),
    (
        "He knows the young lady, a 12-year-old younger woman.",
        "He knows the older lady, an 83-year-old woman.",
        {"axis": "age"},
    ),
    ("John met Mary.", "Mary met John.", {}),
    ("John met Mary.", "John met James.", {"target": "man"}),
    ("José lost his hat.", "Mary lost her hat.", {"target": "woman"}),
    ("Renée and Zoë ran.", "John and Bob ran.", {"target": "man"}),
    ("René saw his dog.", "René saw her dog.", {}),
    ("It rained.", "It rained.", {}),
    ("", "", {}),
    ("She met John.", "He met John.", {"target": "man"}),
    ("Mary told John that she was ill.", "Tom told John that he was ill.", {"word": "Mary"}),
    ("Mary told Ann that she was ill.", "Tom told Ann that she was ill.", {"word": "Mary"}),
    ("Mary told Ann that she was ill.", "Tom told Ann that he was ill.", {"word": "Mary"}),
    ("Ann saw her mother.", "Ann saw her father.", {"word": "mother"}),
    ("The king of hearts left.", "The queen of hearts left.", {"word": "king"}),
    ("The fireman lost his hat.", "The firefighter lost her hat.", {"target": "woman"}),
    ("A chairman lost his hat.", "A chair lost her hat.", {}),
    ("Our mailman, John, left.", "Our mail carrier, Mary, left.", {"target": "woman"}),
    ("The actress lost her hat.", "The actor lost their hat.", {"target": "non-binary"}),
    ("The actor lost his hat.", "The actor lost their hat.", {"target": "non-binary"}),
    ("The boy lost his hat.", "The kid lost their hat.", {"target": "non-binary"}),
    ("He or she may go.", "She or he may go.", {}),
    ("Men and women voted.", "People voted.", {"target": "non-binary"}),
    ("Lakisha and her son ran.", "Emily and her son ran.", {"axis": "race", "target": "white"}),
    ("Emily ran.", "Lakisha ran.", {"axis": "race", "target": "black"}),
]


@pytest.mark.parametrize(("before", "after", "options"), GOOD)
def test_good_rewrites_are_accepted(before: str, after: str, options: dict[str, str]) -> None:
    """What agrees with the edit, other forms of the attribute and names are no faults."""
    verdict = verify(before, after, **options)  # type: ignore[arg-type]
    assert verdict.accepted, verdict.sentence
    assert (verdict.reason, verdict.before, verdict.after, verdict.sentence) == (
        None, (0, 0), (0, 0), "",
    )  # fmt: skip


FAULTS = [
    ("He left.", " . ", {}, "empty", "He left.", "."),
    ("He left.", "He left.", {}, "unchanged", "He", "He"),
    ("She saw the sky.", "He saw the sky.", {"word": "sky"}, "unread", "sky", ""),
    ("It rains.", "It rains.", {"target": "woman"}, "unread", "It rains.", "It rains."),
    ("", "", {"target": "woman"}, "unread", "", ""),
    ("He left by train in May.", "She left", {}, "truncated", "by train in May.", ""),
    ("He left us.", "She left left left us.", {}, "repeated", "", "left left"),
    ("He left. It rained. We ran.", "She left. We ran.", {}, "dropped", "It rained.", ""),
    ("He left us.", "She, who was ill, left us.", {}, "invented", "", ", who was ill,"),
    ("He left us.", "She, who was never ill here, left us.", {}, "invented", "",
     ", who was never ill here,"),
    ("He did not go.", "She did go.", {}, "negation", "not", ""),
    ("He was here.", "She was never here.", {}, "negation", "", "never"),
    ("He has 12 cars.", "She has 13 cars.", {}, "number", "12", "13"),
    ("He has two cars.", "She has three cars.", {}, "number", "two", "three"),
    ('He said "Stop it" twice.', 'She said "Stop him" twice.', {}, "quotation", "it", "him"),
    ("He came to Boston.", "She came to Denver.", {}, "place", "Boston", "Denver"),
    ("He knows Xandrel.", "She knows Yindrel.", {}, "name", "Xandrel", "Yindrel"),
    ("John saw Tom.", "Mary saw Mary.", {}, "name", "Tom", "Mary"),
    ("John met Mary. Bob left.", "John met Bob. Bob left.", {"target": "man", "word": "Mary"},
     "name", "Mary", "Bob"),
    ("Mary met John.", "John met John.", {"target": "man"}, "name", "Mary", "John"),
    ("He likes tea.", "She likes coffee.", {}, "reworded", "tea", "coffee"),
    ("Her mother left.", "His uncle left.", {}, "reworded", "mother", "uncle"),
    ("John left.", "She left.", {}, "reworded", "John", "She"),
    ("He is here.", "She are here.", {}, "reworded", "is", "are"),
    ("He saw a cat.", "She saw an cat.", {}, "reworded", "a", "an"),
    ("He left.", "They left.", {"target": "woman"}, "wrong attribute", "He", "They"),
    ("He saw him and her.", "She saw them and her.", {}, "wrong attribute", "him", "them"),
    ("John saw that he was late.", "Mary saw that he was late.", {}, "broken chain", "he", "he"),
    ("John saw John.", "Mary saw Ann.", {}, "broken chain", "John", "Ann"),
    ("Ann saw Tom.", "Bob saw Mary.", {"word": "Ann"}, "wrong person", "Tom", "Mary"),
    ("Ann saw Mary.", "Bob saw Tom.", {"word": "Ann"}, "wrong person", "Mary", "Tom"),
    ("Ann saw her sister.", "Bob saw his brother.", {"word": "Ann"}, "wrong person", "sister",
     "brother"),
    ("Ann saw Tom.", "Ann saw Mary.", {"word": "Ann"}, "unchanged", "Ann", "Ann"),
    ("Ann saw him. It was his.", "Ann saw her. It was his.", {"everyone": True, "target": "woman"},
     "broken chain", "his", "his"),
    ("a Black man", "an Asian man", {"axis": "race", "target": "white"}, "wrong attribute",
     "Black", "Asian"),
    ("a white shirt", "a black shirt", {"axis": "race"}, "reworded", "white", "black"),
    ("a man of 40 pounds", "a man of 70 pounds", {"axis": "age"}, "number", "40", "70"),
    ("the parents", "the young adult parents", {"axis": "age"}, "invented", "", "young adult"),
    ("The child was 7 years old.", "The adult was 7 years old.", {"axis": "age", "target": "adult"},
     "broken chain", "7 years old", "7 years old"),
    ("The child was 7 years old.", "The older adult was 7 years old.",
     {"axis": "age", "target": "senior"}, "broken chain", "7 years old", "7 years old"),
    ("A child, aged 7, left.", "A child, aged 77, left.", {"axis": "age", "target": "senior"},
     "broken chain", "child", "child"),
    ("José lost his hat.", "Mary lost his hat.", {}, "broken chain", "his", "his"),
    ("He saw San José.", "She saw San Mary.", {}, "name", "José", "Mary"),
    ("He is here.", "They is here.", {}, "agreement", "is", "is"),
    ("He runs and Bob smiles.", "They runs and Bob smiles.", {}, "agreement", "runs", "runs"),
    ("If they are ill, she is.", "If he are ill, she is.", {"word": "they"}, "agreement",
     "are", "are"),
    ("I saw her.", "I saw his.", {}, "reworded", "her", "his"),
    ("I saw her dog.", "I saw him dog.", {"word": "her"}, "reworded", "her", "him"),
    ("I saw her dog.", "I saw him dog.", {"everyone": True}, "reworded", "her", "him"),
    ("Her dog and she", "Him dog and he", {}, "reworded", "Her", "Him"),
    ("Is it his?", "Is it her?", {}, "reworded", "his", "her"),
    ("He left and he cried.", "Ze left and xe cried.", {"target": "non-binary"}, "broken chain",
     "he", "xe"),
    ("a Mexican man", "an Asian man", {"axis": "race"}, "name", "a Mexican", "an Asian"),
    ("He saw the US.", "She saw the us.", {}, "retyped", "US", "us"),
    ("The fireman left.", "The firefighter left.", {"target": "woman"}, "wrong attribute",
     "fireman", "firefighter"),
    ("The actor left.", "The actor left.", {"target": "non-binary"}, "unchanged", "actor", "actor"),
    ("The princess left.", "The prince left.", {"target": "non-binary"}, "wrong attribute",
     "princess", "prince"),
    ("He is German.", "She is Gerwoman.", {}, "name", "German", "Gerwoman"),
    ("He has a talisman.", "She has a taliswoman.", {}, "reworded", "talisman", "taliswoman"),
    ("He or she may go.", "She or she may go.", {}, "wrong attribute", "He", "She"),
    ("The men and the women ran.", "The women and the women ran.", {}, "wrong attribute", "men",
     "women"),
    ("Jane Eyre sold.", "John Eyre sold.", {"word": "Jane"}, "unread", "Jane", ""),
    ("Jamal ran.", "Juan ran.", {"axis": "race", "target": "white"}, "wrong attribute", "Jamal",
     "Juan"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He read books.", "They read book."),
        ("He killed his sons.", "They killed their son."),
        ("He reads the news.", "They read the new."),
        ("He lost its key.", "They lost it key."),
        ("He said yes.", "They said ye."),
        ("He lives in Texas.", "They live in Texa."),
        ("He met James Woods.", "They met James Wood."),
        ("He has a cat.", "They have a cats."),
        ("He knows that the dog is ill.", "They know that the dog are ill."),
        ("He said she hits Bob.", "They said she hit Bob."),
        ("He shot the dogs, and the cat runs.", "They shot the dog, and the cat run."),
    ],
)
def test_beside_they_no_other_word_changes_its_ending(before: str, after: str) -> None:
    """Only the verbs of who became they agree."""
    assert verify(before, after, target="non-binary").reason == "reworded"


@pytest.mark.parametrize(("before", "after", "options", "reason", "at", "now"), FAULTS)
def test_faults_are_told_with_their_places(
    before: str, after: str, options: dict[str, str], reason: str, at: str, now: str
) -> None:
    """The first fault is named, lies where it is said to, and its sentence quotes it."""
    verdict = verify(before, after, **options)  # type: ignore[arg-type]
    assert not verdict.accepted
    assert verdict.reason == reason
    assert before[slice(*verdict.before)] == at
    assert after[slice(*verdict.after)] == now
    assert verdict.sentence
    for stretch in filter(None, (at, now)):
        if repr(stretch) not in verdict.sentence:
            assert reason in ("empty", "truncated", "unchanged", "broken chain")


def test_every_fault_is_tested() -> None:
    """No kind of fault is without an example."""
    assert {reason for _, _, _, reason, _, _ in FAULTS} == set(Fault)


@pytest.mark.parametrize(
    ("before", "after", "at", "now"),
    [
        ("He is with the US army.", "She is with the us army.", "US", "us"),
        ("He saw every day.", "She saw everyday.", "every day", "everyday"),
        ("He  left.", "She left.", "", ""),
        ("He left. He ran.", "She left. she ran.", "He", "she"),
        ("He paid an\nEnglishman.", "She paid an Englishwoman.", "", ""),
        ("His résumé", "Her resume", "résumé", "resume"),
        ("“He left”", '"She left"', "“", '"'),
        ("He is A boy.", "She is a girl.", "A", "a"),
    ],
)
def test_what_is_typed_otherwise_is_refused(before: str, after: str, at: str, now: str) -> None:
    """Letter case, spaces, accents and signs have to stay; `restore` brings them back."""
    verdict = verify(before, after)
    assert verdict.reason in ("retyped", "reworded")
    assert (before[slice(*verdict.before)], after[slice(*verdict.after)]) == (at, now)
    assert verify(before, restore(before, after).text).accepted


def test_spaces_at_the_ends_of_lines_are_nothing() -> None:
    """Nobody sees them."""
    assert verify("He left. \r\nIt rained.", "She left.\nIt rained. \n").accepted
    assert verify(" He left.", "She left.").reason == "retyped"


def test_the_occurrence_is_chosen_by_its_start() -> None:
    """A word may stand for several persons."""
    text = "The man saw the man from Rome."
    for start, accepted in ((4, True), (16, False)):
        verdict = verify(text, "The woman saw the man from Rome.", word="man", start=start)
        assert verdict.accepted is accepted


def test_names_are_left_alone_where_they_are_not_read() -> None:
    """Without names a name neither has to change nor may."""
    text, half = "John lost his hat.", "John lost her hat."
    assert verify(text, half).reason == "broken chain"
    assert verify(text, half, names=False).accepted
    assert verify(text, "Mary lost her hat.", names=False).reason == "reworded"
    assert verify(text, half, protect="John").accepted


def test_many_are_verified_as_each_alone() -> None:
    """The rows of a batch do not touch each other."""
    rows = [(before, after) for before, after, *_ in [*GOOD, *FAULTS]] * 40
    many = verify_all(*zip(*rows, strict=True))
    assert many == [verify(*row) for row in rows[: len(rows) // 40]] * 40


def test_targets_and_words_may_differ_by_row() -> None:
    """Each row has its own request."""
    verdicts = verify_all(
        ["He left.", "He left.", "Ann saw Bob."],
        ["She left.", "She left.", "Ann saw Mary."],
        target=["woman", "non-binary", None],
        words=[None, "He", "Bob"],
        starts=[None, 0, None],
    )
    assert [verdict.accepted for verdict in verdicts] == [True, False, True]
    assert verify_all([], []) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "women"}, r"verify: target must be one of 'man', 'woman', 'non-binary', but"),
        ({"target": ["man"]}, r"verify: target must be one attribute, but it is \['man'\]"),
        ({"axis": "sex"}, r"axis must be one of .* Did you mean 'gender'\?"),
        ({"word": "him"}, r"verify: word must be a word of the text, but 'him' is not in 'He left"),
        ({"word": ""}, r"verify: word must be a word of the text, but it is ''"),
        ({"word": "He", "start": 3}, r"start must be where 'He' begins in the text, but it is 3"),
        ({"start": 0}, r"verify: start says where word stands, but word is None; give it"),
        ({"word": "He", "everyone": True}, r"everyone=True asks about all; leave out word='He'"),
        ({"names": "x"}, r"verify: names must be True or False, but it is .x."),
        ({"everyone": 1}, r"verify: everyone must be True or False, but it is 1"),
        ({"before": 3}, r"verify: before must be a text, but it is 3 \(int\)"),
        ({"after": None}, r"verify: after must be a text, but it is None"),
    ],
)
def test_bad_input_is_told(options: dict[str, object], message: str) -> None:
    """Each mistake has one sentence, which names the parameter and the value."""
    with pytest.raises(InputError, match=message):
        verify(**{"before": "He left.", "after": "She left.", **options})  # type: ignore[arg-type]


def test_bad_columns_are_told() -> None:
    """A column is named, and a value with its row."""
    with pytest.raises(InputError, match="there are 2 texts before, but 1 of after; give one for"):
        verify_all(["a", "b"], ["a"])
    with pytest.raises(InputError, match="verify_all: row 1: after must be a text, but it is None"):
        verify_all(["a", "b"], ["a", None])  # type: ignore[list-item]
    with pytest.raises(InputError, match="before must be a list with a value for each row, but it"):
        verify_all("a", ["a"])
    with pytest.raises(InputError, match="row 0: word must be a word of the text, but 'x' is not"):
        verify_all(["a"], ["a"], words=["x"])


def test_runs_of_letters_are_no_words() -> None:
    """What is too long for a word is compared as a whole, and never cut at each letter."""
    run = "a" * 20_000
    assert verify(f"He said {run}.", f"She said {run}.").accepted
    assert verify(f"He said {run}.", f"She said {run}b.").reason == "reworded"
    assert verify(f"A {run}boy", f"A {run}girl", target="woman").reason == "reworded"
