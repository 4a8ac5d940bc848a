"""Edits: how an answer is read, and what is made of it."""

import json

import pytest

from fair_datasets.rewriters.generation.chat.edits import Wanted, answered, message, rewritten
from fair_datasets.rewriters.generation.writing import ABSENT, NOT_EDITS, OVERLAPPING
from tests.rewriters.generation.chat.server import edits


@pytest.mark.parametrize(
    ("text", "asked", "right"),
    [
        ("Her aunt saw her.", [("her", "him"), ("Her", "His"), ("aunt", "uncle")],
         "His uncle saw him."),
        ("Then SHE left.", [("she", "he")], "Then HE left."),
        ("She is an heiress.", [("She", "He"), ("heiress", "heir")], "He is an heir."),
        ("A waiter and an actor sang.", [("an actor", "a woman")], "A waiter and a woman sang."),
        ("He was an uncle.", [("an uncle", "an niece")], "He was a niece."),
        ("He was an actor.", [("an", "a"), ("actor", "waitress")], "He was a waitress."),
        ("He likes it, and is calm.", [("He", "They"), ("likes", "liked")],
         "They like it, and are calm."),
        ("She saw her dog and her cat.", [("her cat", "his cat", 1)],
         "She saw her dog and his cat."),
        ("He left.", [("He", "He")], "He left."),
        ("She or she left.", [("she", "he", 1)], "She or he left."),
    ],
)  # fmt: skip
def test_edits_are_made_with_what_agrees(text: str, asked: list[tuple], right: str) -> None:  # type: ignore[type-arg]
    """Words as they are written go before other capitals; articles and verbs are ours."""
    assert answered(edits(*asked), [text]) == (right,)


@pytest.mark.parametrize(
    "content",
    ["", "He left.", "[]", "{}", '{"edits": {}}', '{"edits": ["He"]}',
     '{"edits": [{"before": "He"}]}',
     '{"edits": [{"before": 1, "after": "She"}]}', '{"edits": [{"before": "He", "after": null}]}',
     '{"edits": [{"before": "He", "after": "She", "occurrence": "1"}]}',
     '{"edits": [{"before": "He", "after": "She", "occurrence": 0}]}',
     '{"edits": [{"before": "He", "after": "She", "occurrence": true}]}',
     '{"edits": [{"before": "He", "after": "She", "text": 2}]}',
     '{"edits": [{"before": "He", "after": "She"}', "[" * 100_000],
)  # fmt: skip
def test_what_has_another_form_is_no_answer(content: str) -> None:
    """A server that takes a schema may not keep it."""
    assert answered(content, ["He left."]) == NOT_EDITS


@pytest.mark.parametrize("before", ["she", "H", "e", "", "He ", "left. He"])
def test_words_have_to_stand_there_as_words(before: str) -> None:
    """And as often; spaces around them do not count."""
    content = json.dumps({"edits": [{"before": before, "after": "They", "occurrence": 2}]})
    assert answered(content, ["He left. It rained."]) == ABSENT


def test_edits_of_the_same_words_are_refused() -> None:
    """The same edit twice is one."""
    text = ["He saw the old man."]
    once = Wanted("old man", "young woman", 1)
    assert rewritten(text, [once, once]) == ("He saw the young woman.",)
    assert rewritten(text, [once, Wanted("man", "girl", 1)]) == OVERLAPPING


def test_an_answer_may_stand_among_thoughts_and_talk() -> None:
    """As models like to write it, but for what no file can hold."""
    answer = edits(("He", "She"))
    for content in (
        f"```json\n{answer}\n```",
        f"<think>{{He}}\n</think>\n\n{answer}",
        f"I see {{He}}.</think>{answer}",
        f"Here you are: ```JSON {answer}``` I hope that it helps.",
        f"\ufeff{answer} Done.",
    ):
        assert answered(content, ["He left."]) == ("She left.",)
    assert answered(edits(("He", "\ud800She")), ["He left."]) == NOT_EDITS


def test_several_texts_are_told_apart() -> None:
    """Each edit says in which it is."""
    content = json.dumps(
        {"edits": [{"before": "her", "after": "him", "occurrence": 1, "text": 2}]}
    )  # fmt: skip
    assert answered(content, ["I saw her.", "He saw her."]) == ("I saw her.", "He saw him.")
    asked = message(["I saw her.", "He saw her, her too."], "her", (1, 12), "man")
    assert '"her" (occurrence 2 in text 2)' in asked
    assert "Text 2:\nHe saw her, her too." in asked


def test_braces_of_a_text_stay() -> None:
    """They are no fields."""
    assert message(["{word} {0} She left."], "She", None, "man").endswith("{word} {0} She left.")
