"""Tests of the twins of preference data."""

from collections.abc import Mapping
from typing import Any

import pytest
from datasets import Dataset, Features, List, Value

from fair_datasets import PreferenceTwins
from fair_datasets.testing import check_technique


def user(text: Any) -> dict[str, Any]:
    """Write a message of the user."""
    return {"role": "user", "content": text}


def answer(text: Any) -> dict[str, Any]:
    """Write a message of the assistant."""
    return {"role": "assistant", "content": text}


PLAIN = ("chosen", "rejected")
ALL = ("prompt", *PLAIN)


def forms_of(is_woman: bool) -> dict[str, dict[str, Any]]:
    """Write one preference in the four forms of TRL, and with a text before conversations."""
    who, chosen, rejected, name, served = (
        ("Who is she?", "A waitress.", "Ask her.", "Her name?", "Aaron")
        if is_woman
        else ("Who is he?", "A waiter.", "Ask him.", "His name?", "Ann")
    )
    system = {"role": "system", "content": f"You serve {served}."}
    talks = {"chosen": [user(who), answer(chosen)], "rejected": [user(who), answer(rejected)]}
    return {
        "plain, explicit": {"prompt": who, "chosen": f" {chosen}", "rejected": f" {rejected}"},
        "plain, implicit": {"chosen": f"{who} {chosen}", "rejected": f"{who} {rejected}"},
        "talk, explicit": {
            "prompt": [system, user(who)], "chosen": [answer(chosen), user(name), answer("Hill.")],
            "rejected": [answer(rejected)],
        },
        "talk, implicit": talks, "both": {"prompt": who, **talks},
    }  # fmt: skip


FORMS = {name: (row, forms_of(True)[name]) for name, row in forms_of(False).items()}
FORM = pytest.mark.parametrize(("row", "twin"), FORMS.values(), ids=FORMS)


def columns_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the columns of a form."""
    return ALL if "prompt" in row else PLAIN


def batch_of(*rows: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Put rows into a batch."""
    return {name: [row[name] for row in rows] for name in rows[0]}


@FORM
def test_a_twin_has_the_form_of_its_original(row: dict[str, Any], twin: dict[str, Any]) -> None:
    """One mapping for prompt and answers, in a family with its original; no role changes."""
    rows = Dataset.from_list([{**row, "margin": 1.5}])
    made = PreferenceTwins(columns_of(row)).apply(rows)
    original, other = made
    family = {original.pop("family_id"), other.pop("family_id")}
    assert len(family) == 1
    assert original == {**row, "margin": 1.5, "variant": "original"}
    assert other == {**twin, "margin": 1.5, "variant": "twin"}
    added = {"family_id": Value("string"), "variant": Value("string")}
    assert made.features == Features({**rows.features, **added})


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("form", ["talk, explicit", "both"])
def test_the_contract_is_kept_by_conversations(form: str) -> None:
    """Rows depend on themselves alone, in every engine."""
    row, twin = FORMS[form]
    check_technique(PreferenceTwins(columns_of(row), seed=2), batch_of(row, twin, row))


@pytest.mark.parametrize("mode", ["equal", "gap"])
def test_answers_that_should_be_equally_likely(mode: str) -> None:
    """To one prompt, the answer and its twin, in both orders for a training and in one to read."""
    batch = batch_of(
        {"prompt": [user("Who cooks?")], "chosen": [answer("He does."), user("?"), answer("He.")],
         "rejected": [answer("I.")], "id": 1},
        {"prompt": [user("Does he?")], "chosen": [answer("He does.")],
         "rejected": [answer("I.")], "id": 2},
        {"prompt": [user("Who cooks?")], "chosen": [answer("I.")],
         "rejected": [answer("He.")], "id": 3},
    )  # fmt: skip
    made = PreferenceTwins(ALL, mode=mode, id_column="id")(batch)
    he = [answer("He does."), user("?"), answer("He.")]
    she = [answer("She does."), user("?"), answer("She.")]
    orders = [(he, she), (she, he)] if mode == "equal" else [(he, she)]
    assert list(zip(made["chosen"], made["rejected"], strict=True)) == orders
    assert made["id"] == [1] * len(orders)
    assert made["family_id"] == ["1"] * len(orders)
    assert made["variant"] == ["original", "twin"][: len(orders)]
    assert made["prompt"] == [[user("Who cooks?")]] * len(orders)


@pytest.mark.parametrize(("chosen", "rejected", "ties"), [
    ("Who cooks? He does.", "Who cooks? I.", 1), ("Does he? He does.", "Does he? I.", 0),
    ([user("Who?"), answer("He.")], [user("Who?"), answer("I.")], 1),
    ([user("He?"), answer("He.")], [user("He?"), answer("I.")], 0),
])  # fmt: skip
def test_a_prompt_that_both_begin_with_stays(chosen: Any, rejected: Any, ties: int) -> None:
    """An answer and its twin answer one prompt, or none is written."""
    made = PreferenceTwins(PLAIN, mode="gap")({"chosen": [chosen], "rejected": [rejected]})
    assert len(made["chosen"]) == ties
    assert [value[: len("Who cooks?")] for value in made["rejected"]] in (
        [], ["Who cooks?"], [[user("Who?"), answer("She.")]],
    )  # fmt: skip


@pytest.mark.parametrize(("chosen", "rejected"), [
    # "her" before a noun and at the end: his, and him.
    ("Who? I saw her dog.", "Who? I saw her leave."),
    ("She cooks.", "He cooks."),
    (None, "He cooks."),
])  # fmt: skip
def test_what_would_be_another_preference_is_left(chosen: str, rejected: str) -> None:
    """What both begin with would differ, or both would say the same, or one is missing."""
    batch = {"chosen": [chosen], "rejected": [rejected]}
    one_way = PreferenceTwins(PLAIN, source="man", target="woman")
    both_ways = PreferenceTwins(PLAIN)
    technique = both_ways if "her" in (chosen or "") else one_way
    assert technique(batch)["variant"] == ["original"]


def test_a_preference_for_one_of_two_becomes_its_reverse() -> None:
    """Who prefers him to her learns the other way round as well."""
    made = PreferenceTwins(PLAIN)({"chosen": ["Who? He."], "rejected": ["Who? She."]})
    assert made["chosen"] == ["Who? He.", "Who? She."]
    assert made["rejected"] == ["Who? She.", "Who? He."]


def test_paths_lead_to_the_content_alone() -> None:
    """A path may be written out, as in a shell."""
    batch = batch_of(forms_of(False)["talk, implicit"])
    paths = tuple(f"{name}[].content" for name in PLAIN)
    assert PreferenceTwins(paths)(batch) == PreferenceTwins(PLAIN)(batch)


@pytest.mark.parametrize("key", ["tool_calls", "function_call"])
def test_a_call_stands_for_a_content(key: str) -> None:
    """Whose arguments are rewritten."""
    call, other = ({"name": "find", "arguments": f'{{"who": "{who}"}}'} for who in ("he", "she"))
    wrapped, swapped = (
        [{"function": own}] if key == "tool_calls" else own for own in (call, other)
    )
    talk = [{**answer(None), key: wrapped}]
    batch = batch_of({"prompt": [user("Who?")], "chosen": talk, "rejected": [answer("I.")]})
    made = PreferenceTwins(ALL, mode="replace")(batch)
    assert made["chosen"] == [[{**answer(None), key: swapped}]]


def test_messages_keep_what_else_they_have() -> None:
    """Nulls among the keys, as Arrow writes them, and numbers."""
    message = {**answer("He."), "tool_calls": None, "train": True, "weight": 0.5}
    batch = {"prompt": [[user("Who?")]], "chosen": [[message]], "rejected": [[answer("I.")]]}
    made = PreferenceTwins(ALL, mode="replace")(batch)
    assert made["chosen"] == [[{**message, "content": "She."}]]


EMPTY = Features(
    {name: List({"role": Value("string"), "content": Value("string")}) for name in ALL}
)


def test_no_rows() -> None:
    """An empty split has the columns of the others."""
    made = PreferenceTwins(ALL).apply(Dataset.from_dict({name: [] for name in ALL}, EMPTY))
    assert made.num_rows == 0
    assert made.column_names == [*ALL, "family_id", "variant"]
