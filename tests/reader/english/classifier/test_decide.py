"""Resolving words by their context: the shipped weights, and how a context is read."""

import csv
import hashlib
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english.classifier import decide as module
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.tokenizer import tokenize

QUESTIONS = ("her", "his", "has", "verb")
# Words and signs of all that is read in its own way: pronouns, apostrophes, capitals, listed and
# unknown words, words that their hash alone does not tell apart, letters beyond Latin-1.
PIECES = (
    *("She", "her", "his", "himself", "'s", "’s", "gave", "elected", "president", "US", "Anna"),
    *("zqx", "Zqxed", "I", "bbbbbbbbabbbbbbbb", "bbbbbbbbbbbbbbbbb", "Łódź", "łódka", "İ", "café"),
    *(".", ",", "…", "--", "\n\n", "*", '"', "-", "/", "", " ", "  ", "\u200b", "\x83", "\x85"),
)
written = st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.lists(
    st.sampled_from(PIECES), max_size=12
).map("".join)


def answer(question: str, text: str) -> bool:
    """Answer a question about the word that stands between square brackets."""
    before, word, after = text.replace("]", "[").split("[")
    index = len(tokenize(before).words)
    tokens = tokenize(before + word + after)
    assert tokens.words[index] == word
    return module.decide_one(question, tokens, index) > 0


# The question, a text with the word in brackets, and whether "her" and "his" are not objects and
# stand alone, an "s" is "has", and a word is a verb.
with Path(__file__).with_name("decided.tsv").open(encoding="utf-8") as file:
    DECIDED = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_words_are_told_by_what_stands_around_them() -> None:
    """The case of a pronoun, "is" or "has", a verb or a noun."""
    found = [{**row, "answer": str(answer(row["question"], row["text"]))} for row in DECIDED]
    assert found == DECIDED


@given(st.text(alphabet="abc .,\n'-", max_size=40), st.text(alphabet="abc .,\n'-", max_size=40))
def test_words_outside_the_window_change_nothing(start: str, end: str) -> None:
    """Only so many words on both sides are looked at."""
    inner = " ".join(["so"] * module.BEFORE + ["her"] + ["so"] * module.AFTER)
    tokens = tokenize(f"{start} {inner} {end}")
    index = tokens.lower.index("her")
    assert module.decide_one("her", tokens, index) == module.decide_one(
        "her", tokenize(inner), module.BEFORE
    )


@given(st.text(alphabet="abc ,\n'-", max_size=40))
def test_other_sentences_change_nothing(text: str) -> None:
    """What stands beyond the end of the sentence is not looked at."""
    tokens = tokenize(f"{text}. I saw her. {text}")
    index = tokens.lower.index("her")
    assert module.decide_one("her", tokens, index) == module.decide_one(
        "her", tokenize("I saw her."), 2
    )


@given(st.lists(written, min_size=1, max_size=6), st.data())
def test_many_words_at_once_are_decided_as_each_by_itself(
    texts: list[str], data: st.DataObject
) -> None:
    """Which texts are read together, in which order, and which words of them are asked about."""
    asked = [(text, index) for text in texts for index in range(len(tokenize(text).words))]
    asked = data.draw(st.permutations(asked))
    size = data.draw(st.integers(1, max(1, len(asked))))
    question = data.draw(st.sampled_from(QUESTIONS))
    found: list[float] = []
    for start in range(0, len(asked), size):
        chunk = asked[start : start + size]
        together = data.draw(st.permutations(sorted({text for text, _ in chunk})))
        words = TokenBatch(together)
        places = [int(words.first[together.index(text)]) + index for text, index in chunk]
        found += module.decide(question, Candidates(words, np.array(places))).tolist()
    assert found == [module.decide_one(question, tokenize(text), index) for text, index in asked]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_words_have_no_answers(question: str) -> None:
    """Texts without a word, and none that is asked about."""
    for texts in ([], [""], ["She saw her."]):
        nothing = Candidates(TokenBatch(texts), np.zeros(0, np.int64))
        assert module.decide(question, nothing).shape == (0,)


@given(
    st.dictionaries(
        st.integers(1, 40) | st.integers(1, 2**64 - 1), st.integers(-127, 127), max_size=40
    ),
    st.lists(st.integers(1, 40) | st.integers(1, 2**64 - 1), max_size=40),
)
def test_a_feature_has_its_weight_and_an_unknown_one_has_none(
    known: dict[int, int], others: list[int]
) -> None:
    """Whichever keys fall on the same slot."""
    keys = sorted(known)
    weights = module.Weights(
        np.array(keys, np.uint64), np.array([*map(known.get, keys)], np.int8), 1.0
    )
    asked = [*known, *others]
    sums = weights.sums(np.array([asked], np.uint64))
    assert sums.tolist() == [known.get(key, 0) for key in asked]


def test_words_are_classed_by_their_ending_or_their_sound() -> None:
    """A word without a vowel and one drawn out are known; a number has no vowel and is none."""
    model = module.Classifier({"-": "U", "lmao": "U", "-0": "C", "-o": "N"}, {})
    words = ("smh", "lmaoooo", "30", "tomato", "a")
    assert [model.class_of(word) for word in words] == ["U", "U", "C", "N", ""]


def test_an_unknown_question_is_refused() -> None:
    """There are four questions."""
    with pytest.raises(KeyError):
        module.decide_one("them", tokenize("saw them"), 1)


def test_the_shipped_file_is_the_one_that_its_description_names() -> None:
    """The model is small, and its digest is written down."""
    description = tomllib.loads(module.WEIGHTS.with_suffix(".toml").read_text("utf-8"))
    content = module.WEIGHTS.read_bytes()
    assert len(content) <= 1_000_000
    assert description["digests"][module.WEIGHTS.name] == hashlib.sha256(content).hexdigest()


def test_the_word_itself_is_masked() -> None:
    """Other pronouns in the same place, of either gender, look the same."""
    features = module.Classifier({}, {}).features

    def keys(question: str, text: str, index: int) -> list[list[int]]:
        candidates = Candidates(TokenBatch([text]), np.array([index]))
        keys: list[list[int]] = features.keys(question, candidates).tolist()
        return keys

    of_woman = keys("her", "She said Her name herself", 2)
    assert of_woman == keys("her", "He said his name himself", 2)
    host = keys("verb", "they host here", 1)
    assert host == keys("verb", "they walk here", 1)
    assert host != keys("verb", "they hosts here", 1)


def test_a_control_character_is_read_alike_beside_letters_beyond_latin() -> None:
    """A line end of old (x85) is a space, and is not taken for another control character."""
    before, plain, beside = (
        "She saw her\x83coat.", "She saw her\x85coat.", "Ł. She saw her\x85coat.",
    )  # fmt: skip
    features = module.Classifier({}, {}).features
    keys = []
    for text, index in (("Ł. " + before, 3), (plain, 2), (beside, 3)):
        candidates = Candidates(TokenBatch([text]), np.array([index]))
        keys.append(features.keys("verb", candidates).ravel().tolist())
    assert keys[0] != keys[1] == keys[2]


@pytest.mark.parametrize(("gap", "sign"), [
    (" ", ""),
    ("'", ""),
    ("* ", ""),
    (". ", module.END),
    ("?! ", module.END),
    ("... ", "…"),
    (" - ", "--"),
    ("-", "-"),
    (', "', ","),
    ("\n", "|"),
    ("\n\n", module.END),
    (" @", "#"),
])  # fmt: skip
def test_a_gap_is_one_sign(gap: str, sign: str) -> None:
    """The end of a sentence counts more than a comma, and emphasis for nothing."""
    assert module.sign_of(gap) == sign


@given(st.text(alphabet=" *_~", min_size=1))
def test_space_and_emphasis_are_no_sign(gap: str) -> None:
    """Words that are set in bold are not divided."""
    assert module.sign_of(gap) == ""


def test_as_many_words_are_read_as_are_asked_for() -> None:
    """On each side, also behind the end of a text."""
    candidates = Candidates(TokenBatch(["She saw her old coat there", "Her"]), np.array([2, 7]))
    left, right = module.Sides(lambda word: "").read(candidates, 2, 3)
    assert (left.value.shape, right.value.shape) == ((2, 2), (3, 2))


words = st.text(alphabet="abcé", min_size=1, max_size=8)


def test_kinds_of_unknown_words_are_right_when_they_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only so many words are kept, and each is asked for again after that."""
    monkeypatch.setattr("fair_datasets.reader.matching.vocabulary.MOST", 2)
    asked: list[str] = []

    def kind(word: str) -> str:
        asked.append(word)
        return word[-1:]

    kinds = module.Kinds(kind)
    text = "xqa xqb xqa xqc xqd xqe xqa łqz"
    for _ in range(2):
        found = kinds.of(TokenBatch([text]), np.arange(8))
        assert found.tolist() == [module.value_of(letter) for letter in "abacdeaz"]
    assert asked.count("xqb") == 2


def test_a_long_word_has_its_own_class() -> None:
    """Two words whose hashes are the same, of which one has a vowel."""
    features = module.Classifier({"-": "U", "-b": "N"}, {}).features
    with_vowel, without = "She saw her bbbbbbbbabbbbbbbb", "She saw her bbbbbbbbbbbbbbbbb"
    keys = [
        features.keys("verb", Candidates(TokenBatch([text]), np.array([2]))).ravel()
        for text in (with_vowel, without, with_vowel)
    ]
    assert np.array_equal(keys[0], keys[2])
    assert not np.array_equal(keys[0], keys[1])
