"""What holds for every text, whatever the lexicon says about its words."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fair_datasets import Blindness, CounterfactualSwap
from fair_datasets.lexicons import Entry, available_lexicons, load_lexicon
from fair_datasets.reader.matching.tokenizer import protected_spans
from fair_datasets.swap.agreement import available_pronoun_sets

SWAP = CounterfactualSwap(columns="text", mode="replace")
GENDER = load_lexicon("gender")


def _is_one_to_one(entry: Entry) -> bool:
    """Whether a row leads from each of its two forms to the other one alone."""
    forms = [entry.forms.get(name, ()) for name in ("man", "woman")]
    plain = all(len(cell) == 1 and not cell[0].flags for cell in forms)
    return plain and entry.inflection == "singular" and entry.kind != "title"


PAIRS = [
    (entry.forms["man"][0].text, entry.forms["woman"][0].text)
    for entry in GENDER.entries
    if _is_one_to_one(entry)
]
# Contexts that leave no doubt about a noun, its number or its article.
FRAMES = ["We met my {} there.", "So said her {}, who left.", "{} of ours?", "The {}'s house",
          "my {} — our {}"]  # fmt: skip


def _swapped(text: str, swap: CounterfactualSwap = SWAP) -> str:
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize("axis", available_lexicons())
@settings(deadline=None)
@given(text=st.text() | st.text(alphabet=st.characters(categories=["L", "P", "Z"])))
def test_text_without_terms_stays_byte_for_byte(axis: str, text: str) -> None:
    """A text in which nothing is found comes out as it went in, on every axis."""
    swap = CounterfactualSwap(columns="text", axis=axis, mode="replace", provenance=True)
    result = swap({"text": [text]})
    if not result["edits"][0]:
        assert result["text"][0] == text
    assert result["text"][0].encode().decode() == result["text"][0]


@settings(deadline=None)
@given(st.sampled_from(PAIRS), st.sampled_from(FRAMES), st.sampled_from([str, str.upper]))
def test_swapping_twice_gives_the_text_back(pair: tuple[str, str], frame: str, case: type) -> None:
    """Where a row of the lexicon is one to one, the second swap undoes the first."""
    for form in pair:
        text = case(frame.format(form, form))
        once = _swapped(text)
        assume(once != text)
        assert _swapped(once) == text


AXES = available_lexicons()
SWAPS = [CounterfactualSwap(columns="text", axis=axis, names=True, mode="replace", provenance=True)
         for axis in AXES]  # fmt: skip
SWAPS += [
    CounterfactualSwap(
        columns="text", target="non-binary", pronouns=name, mode="replace", provenance=True
    )
    for name in available_pronoun_sets()
]
SWAPS += [
    CounterfactualSwap(columns="text", axis=AXES, joint=True, mode="replace", provenance=True)
]
BLIND = [Blindness(columns="text", axis=axis) for axis in AXES]
BLIND += [Blindness(columns="text", mode="neutralise")]
# Terms, and what may agree with them; and the signs of addresses, handles, code, tags and paths.
PROSE = ["he", "She", "she's", "isn't", "Does", "likes", "is", "sings", "and", "or", "who", "an",
         "a", "actress", "the ladies'", "gentlemen's", "Mary", "old man", "girl", "30", "year",
         "years", "old", "aged", "40yo", "Islam", "Black women", "gay men", "priest", "French",
         "t", "s"]  # fmt: skip
SIGNS = ["", "…", "'", "’", "-", ", ", "/", ". ", "\n", "`", "``", "''", "@", "#", "<", ">", "~~~",
         "https://", "www.", ".com", "@x.com", "://", "=", "\\", ":", "_", "(", "?", "~/", "r/",
         ".py"]  # fmt: skip


@settings(deadline=None, max_examples=15)
@given(
    st.lists(
        st.sampled_from(PROSE) | st.sampled_from(SIGNS) | st.just(" "), min_size=2, max_size=12
    ).map("".join)
)
def test_no_edit_touches_protected_text(text: str) -> None:
    """Addresses, handles, code, tags and paths stay, whatever the axis, pronouns and mode."""
    spans = protected_spans(text)
    assume(spans)
    for swap in SWAPS:
        for edit in swap({"text": [text]})["edits"][0]:
            assert all(edit["end"] <= start or edit["start"] >= end for start, end in spans)
    for blind in BLIND:
        (rest,) = blind({"text": [text]})["text"]
        for start, end in spans:
            assert text[start:end] in rest
            rest = rest[rest.index(text[start:end]) + end - start :]


# Each group in the words that the lexicon writes, and in which sentences they stand.
_SENTENCES = ("We met two {} there.", "Some {} sang, and the {} danced.")


def _plurals(axis: str) -> list[tuple[str, str]]:
    """List each attribute with its plural for people."""
    entries = load_lexicon(axis).entries
    entry = next(e for e in entries if (e.kind, e.inflection) == ("person", "plural"))
    return [(name, forms[0].text) for name, forms in entry.forms.items() if forms]


@pytest.mark.parametrize("axis", [each for each in available_lexicons() if each != "gender"])
@settings(deadline=None, max_examples=6)
@given(data=st.data(), seed=st.integers(0, 99), book=st.text(min_size=1, max_size=3))
def test_a_group_becomes_the_same_throughout(
    axis: str, data: st.DataObject, seed: int, book: str
) -> None:
    """Through a row, a family of columns, and the rows of what `consistent_by` names."""
    name, plural = data.draw(st.sampled_from(_plurals(axis)))
    one, other = (sentence.format(plural, plural) for sentence in _SENTENCES)
    swap = CounterfactualSwap(
        columns=["text", "reply"], axis=axis, mode="replace", provenance=True, seed=seed,
        consistent_by="book",
    )  # fmt: skip
    batch = {"text": [one, other, "Rain."], "reply": [other, "Rain.", one], "book": [book] * 3}
    edits = [edit for row in swap(batch)["edits"] for edit in row if edit["before"] != "a"]
    # Rows of a name draw once, and lesbians stay where that is "gay".
    assert len({edit["attribute"] for edit in edits}) == 1 or (name == "lesbian" and not edits)
    assert {edit["attribute"] for edit in edits} != {name}
    # A batch of its own draws the same as well.
    alone = swap({key: values[2:] for key, values in batch.items()})
    assert alone["reply"][0] == swap(batch)["reply"][2]


SIZES = (10_000, 100_000)
# Methods that run over all of what they are called on.
_SCANS = frozenset(
    {"argsort", "astype", "copy", "count", "decode", "encode", "lower", "nonzero", "split"}
    | {"tolist", "translate"}
)
TEXTS = {
    "age": (
        "in his 30s a 40-year-old man, he is 40 years old. aged 7 to 12, the tenant, 38, said. "
        "she married at 19. 40yo man, a six-month-old girl, an old man of 81 and young women. "
    ),
    "disability": "blind blind-blind men and the deaf, people with disabilities; he is disabled ",
    "gender": (
        "Mary Smith told her brother. His wife gave birth. The King, `he`, Mr. Smith and "
        '"Iron Man" saw he or she; www.he.com, guys and a young actress: she’s Mary Jones. '
        "Zoe\u0308 met José García. "
    ),
    "race": "African-American-African American, black and white, a black man, Black, Asian-",
    "religion": "Jewish Muslim-the Jewish church, and Christians saw the Pope. ",
    "nationality": "French German-The French in Paris, a German-American and two Nigerians, ",
    "orientation": "gay gay-gay men and lesbians, straight people; a bisexual woman ",
}


def work(swap: CounterfactualSwap, text: str) -> int:
    """Return how much is done for a text."""
    done = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal done
        if event == "call":
            done += 1
        elif event == "c_call" and argument.__name__ in _SCANS:
            owner = argument.__self__
            done += owner.size if isinstance(owner, np.ndarray) else len(owner)

    sys.setprofile(count)
    try:
        swap({"text": [text]})
    finally:
        sys.setprofile(None)
    return done


@pytest.mark.parametrize("axis", TEXTS)
def test_work_grows_with_the_length(axis: str) -> None:
    """From 10,000 characters to 100,000 it grows ten times, and not a hundred."""
    swap = CounterfactualSwap(columns="text", axis=axis, mode="replace")
    phrase = TEXTS[axis]
    swap({"text": [phrase]})
    less, more = (work(swap, (phrase * (size // len(phrase) + 1))[:size]) for size in SIZES)
    assert more < 1.25 * less * SIZES[1] / SIZES[0]


LINES = (
    "he\tshe\tpronoun\tsubject", "him\ther\tpronoun\tobject", "his\ther\tpronoun\tdeterminer",
    "his\thers\tpronoun\tpossessive", "mr\tmrs\ttitle\tsingular", "king\tqueen\ttitle\tsingular",
    "father[verb]\tmother[verb]\tkinship\tsingular",
    "father in law\tmother in law\tkinship\tsingular",
    "male[thing]\tfemale[thing]\tperson\tadjective", "males\tfemales\tperson\tplural",
)  # fmt: skip
COUNTERPARTS = {
    "Her book was hers, and I saw her.": "His book was his, and I saw him.",
    "His book was his, and I saw him.": "Her book was hers, and I saw her.",
    "She is Mrs. Lee, my mother.": "He is Mr. Lee, my father.",
    "The queen met her mother in law.": "The king met his father in law.",
    "A female nurse saw the females.": "A male nurse saw the males.",
}


@pytest.mark.parametrize("first", [1, 2, 4, 7, 8])
def test_the_first_line_is_read_as_any_other(first: int, tmp_path: Path) -> None:
    """Also one of several cases, a title, a phrase, and a word of several uses."""
    lines = "\n".join(["man\twoman\tkind\tinflection", *LINES[first:], *LINES[:first]])
    (tmp_path / "gender.tsv").write_text(lines, "utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(tmp_path / "gender.tsv"), mode="replace")
    assert swap({"text": [*COUNTERPARTS]})["text"] == [*COUNTERPARTS.values()]
