"""Algorithm 1 with a model: what it is asked, what is kept, and what rows fall back to.

The model is played by a function of what is asked; a trained one runs in `training`.
"""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import PerturbationAugmentation
from fair_datasets.rewriters.generation import model_technique
from fair_datasets.rewriters.generation.writing import (
    OTHER_COUNT,
    ModelOutput,
    RewriteRequest,
    Writer,
)
from fair_datasets.swap import undo
from fair_datasets.system.checks import InputError

Play = Callable[[RewriteRequest], Sequence[str] | ModelOutput]
SIGNS = {"<PERT_SEP>": 0, "<SEP>": 1}
# Longer than a snippet of so many words: each of the two has one person.
WORDS = 8
LONG = "The king did not say a word .\n\nThen his \t brother  did not go home alone."


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a function play the model; return what makes the technique, and what was asked."""

    def technique(model: Play, **options: Any) -> PerturbationAugmentation:
        _let_play(monkeypatch, model)
        return perturbation(**options)

    return technique


def _let_play(monkeypatch: pytest.MonkeyPatch, model: Play) -> None:
    """Have a function write what a model would."""

    def write(self: Writer, asks: Sequence[RewriteRequest]) -> list[ModelOutput]:
        found = map(model, asks)
        return [new if isinstance(new, ModelOutput) else ModelOutput(tuple(new)) for new in found]

    tokenizer = SimpleNamespace(get_vocab=lambda: SIGNS)
    loaded = SimpleNamespace(tokenizer=tokenizer, limit=None)
    monkeypatch.setattr(model_technique, "load_writer", lambda *_, **__: loaded)
    monkeypatch.setattr(Writer, "write", write)


def perturbation(**options: Any) -> PerturbationAugmentation:
    """Return the technique with a model that no test loads."""
    given = {"columns": "text", "axis": "gender", "model": "ada/writer", **options}
    return PerturbationAugmentation(**given)


def draft(ask: RewriteRequest) -> Sequence[str]:
    """Write what the swap writes."""
    assert ask.draft is not None
    return ask.draft


def without_negation(ask: RewriteRequest) -> Sequence[str]:
    """Write what the swap writes, and drop each negation."""
    return [text.replace(" not", "") for text in draft(ask)]


def test_the_model_is_told_the_drawn_word_and_attribute(play: Any) -> None:
    """As the word is written, with where it stands; blank and null texts are not given."""
    asked: list[RewriteRequest] = []

    def keep(ask: RewriteRequest) -> Sequence[str]:
        asked.append(ask)
        return draft(ask)

    batch = {"a": [None, "Rain."], "b": [" \n", None], "c": ["Rain.", None],
             "d": ["In 1990 Mary met his aunt.", ""]}  # fmt: skip
    words = {}
    for seed in range(15):
        technique = play(keep, columns=("a", "b", "c", "d"), seed=seed, provenance=True)
        (said,) = technique(batch)["perturbations"][0]
        (ask,) = asked
        asked.clear()
        assert ask.texts == ["Rain.", "In 1990 Mary met his aunt."]
        assert (ask.word.lower(), ask.attribute) == (said["word"], said["target_attribute"])
        assert ask.where is not None
        assert ask.texts[1][ask.where[1] :].startswith(ask.word)
        assert (ask.where[0], ask.where[1] in {start for start, _ in ask.spans[1]}) == (1, True)
        words[ask.word] = [ask.texts[1][a:b] for a, b in ask.spans[1]]
    assert words == {"Mary": ["Mary"], "his": ["his"], "aunt": ["aunt"]}


def test_what_holds_is_kept_and_the_draws_are_those_of_the_swap(play: Any) -> None:
    """A model that writes what the swap writes gives its rows, edit for edit."""
    batch = {"text": ["She left.", LONG, None, "Rain.", "An aunt saw the king."], "id": range(5)}
    for options in ({"mode": "replace"}, {"mode": "augment"}, {"mode": "substitute", "rate": 0.8}):
        options = {**options, "snippet_words": WORDS, "provenance": True, "id_column": "id"}
        found = play(draft, **options)(batch)
        swapped = perturbation(model=None, **options)(batch)
        assert {*found["rewrite_status"], *found["rewrite_fault"]} <= {"model", None}
        own = ("word", "axis", "source_attribute", "target_attribute", "changed", "left")
        found["perturbations"] = [
            said and [{name: one[name] for name in own} for one in said]
            for said in found["perturbations"]
        ]
        assert {name: found[name] for name in swapped} == swapped
    assert found.keys() - swapped.keys() == {
        "rewrite_status", "rewrite_fault", "rewrite_reason", "rewrite_mended",
    }  # fmt: skip


def test_the_asked_person_changes_and_nobody_else(play: Any) -> None:
    """Two kings: the swap moves both, and a model that does so is refused."""
    text = "The king met the actor. The actor was late."
    drawn = {}
    for seed in range(8):
        one = play(lambda ask: [ask.texts[0].replace(ask.word, {
            "king": {"woman": "queen", "non-binary": "monarch"},
            "actor": {"woman": "actress", "non-binary": "performer"},
        }[ask.word][ask.attribute])], seed=seed, provenance=True)({"text": [text]})  # fmt: skip
        drawn[one["text"][0]] = one["rewrite_status"][0]
        both = play(draft, seed=seed, fallback="original")({"text": [text]})
        assert (both["text"], both["rewrite_status"]) == ([text], ["original"])
        assert both["rewrite_fault"] == ["wrong person"]
    assert drawn == {
        "The queen met the actor. The actor was late.": "model",
        "The monarch met the actor. The actor was late.": "model",
        "The king met the actress. The actress was late.": "model",
        "The king met the performer. The performer was late.": "model",
    }


@pytest.mark.parametrize("fallback", ["swap", "original", "null"])
def test_what_does_not_hold_falls_back(play: Any, fallback: str) -> None:
    """The row says what it fell back to, and why; it stays in its place."""
    text = "She did not sing."
    swapped = perturbation(model=None)({"text": [text]})["text"][0]
    batch = {"text": [text, "Rain.", text], "label": [1, 2, 3]}
    found = play(without_negation, fallback=fallback, provenance=True)(batch)
    after = {"swap": swapped, "original": text, "null": None}[fallback]
    assert (found["text"], found["label"]) == ([after, "Rain.", after], [1, 2, 3])
    assert found["rewrite_status"] == [fallback, None, fallback]
    assert found["rewrite_fault"] == ["negation", None, "negation"]
    assert "negation is lost or put in: 'not'" in found["rewrite_reason"][0]
    assert found["perturbed"] == [fallback == "swap", False, fallback == "swap"]
    (said,) = found["perturbations"][0]
    assert (said["rewrite_status"], said["rewrite_fault"]) == (fallback, "negation")
    assert said["changed"] == (fallback == "swap")


def test_what_was_not_written_falls_back_with_the_models_fault(play: Any) -> None:
    """The other rows are kept."""
    model = {
        "She left.": ModelOutput(None, OTHER_COUNT),
        "The aunt ran.": ModelOutput(("The uncle ran.",)),
    }
    found = play(lambda ask: model[ask.texts[0]], seed=3, fallback="original", verified=False)(
        {"text": [*model]}
    )
    assert found["text"] == ["She left.", "The uncle ran."]
    assert found["rewrite_fault"] == [OTHER_COUNT, None]


@pytest.mark.parametrize("fallback", ["swap", "original", "null"])
def test_a_long_text_is_null_as_a_whole_or_falls_back_in_part(play: Any, fallback: str) -> None:
    """A text of which a part is missing is none; each part says what happened to it."""

    def faulty_in_part(ask: RewriteRequest) -> Sequence[str]:
        return without_negation(ask) if "brother" in ask.texts[0] else draft(ask)

    options = {"snippet_words": WORDS, "provenance": True}
    found = play(faulty_in_part, fallback=fallback, **options)({"text": [LONG]})
    swapped = perturbation(model=None, **options)({"text": [LONG]})["text"][0]
    first, second = found["perturbations"][0]
    assert (first["rewrite_status"], second["rewrite_status"]) == ("model", fallback)
    assert (first["changed"], second["changed"]) == (fallback != "null", fallback == "swap")
    assert found["rewrite_status"] == [fallback]
    assert found["rewrite_fault"] == ["negation"]
    (after,) = found["text"]
    if fallback == "null":
        assert after is None
        assert found["edits"] == [[]]
        return
    assert undo(after, found["edits"][0]) == LONG
    rest = swapped if fallback == "swap" else LONG
    assert after.split("\n\n") == [swapped.split("\n\n")[0], rest.split("\n\n")[1]]


def test_a_rewrite_is_judged_on_the_axis_that_was_drawn(play: Any) -> None:
    """What changes on another axis is a fault."""
    text = "The elderly Asian woman did not sing."
    others = {"gender": ("Asian", "Black"), "race": ("elderly", "young"), "age": ("woman", "man")}
    for broken in (False, True):
        found = {}
        for seed in range(16):

            def model(ask: RewriteRequest, broken: bool = broken) -> Sequence[str]:
                axis = {"woman": "gender", "Asian": "race", "elderly": "age"}[ask.word]
                return [text.replace(*others[axis]) if broken else text for text in draft(ask)]

            axes = ("gender", "race", "age")
            row = play(model, axis=axes, seed=seed, provenance=True)({"text": [text]})
            found[row["perturbations"][0][0]["axis"]] = row["rewrite_status"][0]
        assert found == dict.fromkeys(others, "swap" if broken else "model")


def test_what_is_mended_unasked_is_restored_and_counted_over_the_parts(play: Any) -> None:
    """Case and white space are as in the original."""
    options = {"snippet_words": WORDS, "provenance": True}
    mending = play(lambda ask: [" ".join(text.lower().split()) for text in draft(ask)], **options)
    found = mending({"text": [LONG]})
    assert found["text"] == perturbation(model=None, **options)({"text": [LONG]})["text"]
    assert found["rewrite_status"] == ["model"]
    # Two capitals, and three stretches of white space.
    assert found["rewrite_mended"] == [5]
    raw = play(lambda ask: ["MEN " + text for text in draft(ask)], verified=False)
    assert raw({"text": ["She left."]})["text"][0].startswith("MEN ")


def test_rows_without_candidates_never_reach_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not even loaded."""
    monkeypatch.setattr(model_technique, "load_writer", None)
    found = perturbation()({"text": ["It rains.", None, ""]})
    assert found["text"] == ["It rains.", None, ""]
    assert found["rewrite_status"] == found["rewrite_mended"] == [None] * 3


_TEXTS = st.lists(
    st.none()
    | st.lists(st.sampled_from(
        ["He", "her", "the", "king", "Mary", "aunt", "did", "not", "it.", "A", "\n\n", "42", "is"]
    )).map(" ".join),
    min_size=1, max_size=6,
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:PerturbationAugmentation. nothing that:UserWarning")
@settings(max_examples=40)
@given(_TEXTS, st.randoms(), st.sampled_from(["swap", "original", "null"]), st.sampled_from([3, 9]))
def test_whatever_a_model_writes_rows_are_kept_and_traced(
    texts: list[str | None], random: Any, fallback: str, words: int
) -> None:
    """No row comes or goes, nothing unverified stays, and the edits lead back."""

    def anything(ask: RewriteRequest) -> Sequence[str]:
        written = [text.split(" ") for text in draft(ask)]
        for own in written:
            random.shuffle(own) if random.random() < 0.4 else None
        return [" ".join(own) for own in written]

    batch = {"text": texts, "label": list(range(len(texts)))}
    with pytest.MonkeyPatch.context() as patch:
        _let_play(patch, anything)
        technique = perturbation(provenance=True, fallback=fallback, snippet_words=words)
        found = technique(batch)
    assert found["label"] == batch["label"]
    candidates = technique.candidate_rows([(text,) for text in texts])
    for number, before in enumerate(texts):
        after, status = found["text"][number], found["rewrite_status"][number]
        assert (status is None) == (number not in candidates or not found["perturbations"][number])
        assert (status == "model") == (status is not None and not found["rewrite_fault"][number])
        assert status in ("model", fallback, None)
        if status is None:
            assert after == before
        elif status == "null":
            assert after is None
        else:
            assert undo(after, found["edits"][number]) == before


def test_a_model_that_lacks_a_sign_is_refused(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the control, or the one that joins the texts of several columns."""
    technique = play(draft, columns=("text", "reply"))
    monkeypatch.delitem(SIGNS, "<SEP>")
    alone = {"text": ["She left."], "reply": [""]}
    assert technique(alone)["rewrite_status"] == ["model"]
    with pytest.raises(InputError, match="lacks the token '<SEP>' which joins the texts of sever"):
        technique({"text": ["She left."], "reply": ["Why?"]})
    monkeypatch.delitem(SIGNS, "<PERT_SEP>")
    with pytest.raises(InputError, match="Augmentation: the tokenizer of 'ada/writer' lacks the"):
        technique(alone)
