"""Tests of the twins of preference data."""

import math
from collections.abc import Mapping
from typing import Any

import pytest
from datasets import Dataset, Features, List, Value

from fair_datasets import InputError, PreferenceTwins
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
            "prompt": [system, user(who)],
            "chosen": [answer(chosen), user(name), answer("Hill.")],
            "rejected": [answer(rejected)],
        },
        "talk, implicit": talks,
        "both": {"prompt": who, **talks},
    }


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


@pytest.mark.parametrize(
    ("chosen", "rejected", "ties"),
    [
        ("Who cooks? He does.", "Who cooks? I.", 1),
        ("Does he? He does.", "Does he? I.", 0),
        ([user("Who?"), answer("He.")], [user("Who?"), answer("I.")], 1),
        ([user("He?"), answer("He.")], [user("He?"), answer("I.")], 0),
    ],
)
def test_a_prompt_that_both_begin_with_stays(chosen: Any, rejected: Any, ties: int) -> None:
    """An answer and its twin answer one prompt, or none is written."""
    made = PreferenceTwins(PLAIN, mode="gap")({"chosen": [chosen], "rejected": [rejected]})
    assert len(made["chosen"]) == ties
    assert [value[: len("Who cooks?")] for value in made["rejected"]] in (
        [], ["Who cooks?"], [[user("Who?"), answer("She.")]],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "rejected"),
    [
        # "her" before a noun and at the end: his, and him.
        ("Who? I saw her dog.", "Who? I saw her leave."),
        ("She cooks.", "He cooks."),
        (None, "He cooks."),
    ],
)
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


TALK = {"prompt": [user("Who is he?")], "chosen": [answer("I.")], "rejected": [answer("Me.")]}
SHARED = {name: [*TALK["prompt"], *TALK[name]] for name in PLAIN}
WRONG = {
    "an empty list": ({**TALK, "chosen": []}, r"column 'chosen' holds the empty list \[\]"),
    "other keys": (
        {**TALK, "rejected": [{"from": "gpt", "value": "I."}]},
        r"'rejected\[0\]' is \{'from': 'gpt', .* has the keys 'role' and 'content'",
    ),
    "a call": (
        {**TALK, "chosen": [{**answer("I."), "audio": [{"name": "find"}]}]},
        r"'chosen\[0\]' has 'audio': \[\{'name': 'find'\}\]",
    ),
    "no role": ({**TALK, "chosen": [{**answer("I."), "role": None}]}, "the role None"),
    "no answer": (
        {**TALK, "chosen": [answer("I."), user("No!")]},
        "column 'chosen' ends with a message of 'user', 'No!', and not of 'assistant'",
    ),
    "no answer beside a null": (
        {**TALK, "chosen": None, "rejected": [answer("I."), user("No!")]},
        "column 'rejected' ends with a message of 'user', 'No!', and not of 'assistant'",
    ),
    "a prompt twice": (
        {**TALK, "chosen": SHARED["chosen"]},
        "column 'chosen' begins with a message of 'user', 'Who is he.', beside the column 'prompt'",
    ),
    "other prompts": (
        {"chosen": SHARED["chosen"], "rejected": [user("Who is she?"), answer("Me.")]},
        "'chosen' and 'rejected' begin with different prompts: message 0 is 'Who is he.' and 'Who",
    ),
    "no prompt": ({name: TALK[name] for name in PLAIN}, "begin with different prompts: message 0"),
    "two forms": ({**TALK, "chosen": "I."}, "column 'chosen' holds 'I.', but 'prompt' holds a con"),
    "a null": (
        {**TALK, "chosen": [answer(None)]},
        r"'chosen\[0\].content' is None; write the text",
    ),
    "a null prompt": ({**TALK, "prompt": None}, "column 'prompt' holds None; write the prompt, or"),
    "a null in a prompt": (
        {**TALK, "prompt": [*TALK["prompt"], answer(None), user("?")]},
        r"'prompt\[1\].content' is None",
    ),
    "a null that both begin with": (
        {name: [user(None), *TALK[name]] for name in PLAIN},
        r"'chosen\[0\].content' is None",
    ),
    "a null in a part": (
        {**TALK, "rejected": [answer([{"type": "image"}, {"type": "text", "text": None}])]},
        r"'rejected\[0\].content\[1\].text' is None; write the text, or drop the row",
    ),
    "a null beside no call": (
        {**TALK, "chosen": [{**answer(None), "tool_calls": [], "function_call": 0}]},
        r"'chosen\[0\].content' is None",
    ),
    "no text": ({**TALK, "chosen": [answer(7)]}, "7"),
}


@pytest.mark.parametrize(("row", "said"), WRONG.values(), ids=WRONG)
def test_wrong_rows(row: dict[str, Any], said: str) -> None:
    """A sentence names the row, the column and the value."""
    right = {name: [*TALK["prompt"], *TALK[name]] for name in PLAIN} if len(row) == 2 else TALK
    with pytest.raises(InputError, match=rf"PreferenceTwins: .*{said}") as told:
        PreferenceTwins(columns_of(row))(batch_of(right, row))
    assert "row 1 of the batch (counted from 0)" in str(told.value)


@pytest.mark.parametrize(
    ("column", "mode", "why"),
    [
        ("chosen_ids", "augment", "is computed from the texts"),
        ("prompt_ids", "gap", "is computed from the texts"),
        ("ref_rejected_logps", "replace", "is computed from the texts"),
        ("tools", "augment", "is not rewritten with the texts"),
        ("margin", "equal", "a reward model trains on it"),
        ("prompt", "augment", r"name it first in columns: \('prompt', 'chosen', 'rejected'\)"),
    ],
)
def test_columns_that_would_be_wrong_of_a_twin(column: str, mode: str, why: str) -> None:
    """They are refused by name; none of them is ever added."""
    rows = Dataset.from_list([{"chosen": "He.", "rejected": "I.", column: "x"}])
    with pytest.raises(InputError, match=rf"PreferenceTwins: column '{column}' .*{why}"):
        PreferenceTwins(PLAIN, mode=mode).apply(rows)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"columns": "chosen"}, "columns must name the chosen and the rejected answer"),
        (
            {"columns": ("prompt", "a", "b", "c")},
            "columns must .* it names 'prompt', 'a', 'b', 'c'",
        ),
        ({"columns": (*PLAIN, "prompt")}, "columns names 'prompt' in the place of an answer"),
        ({"columns": PLAIN, "roles": "user"}, "roles leaves what others say as it is"),
        ({"columns": PLAIN, "mode": "pair"}, "mode must be one of 'augment', 'substitute', 'repl"),
        ({"columns": PLAIN, "mode": "gap", "provenance": True}, "provenance tells what was done"),
        ({"columns": PLAIN, "mode": "equal", "keep_unchanged": True}, "keep_unchanged is for"),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], said: str) -> None:
    """A sentence says what to give."""
    with pytest.raises(InputError, match=f"PreferenceTwins: {said}"):
        PreferenceTwins(**parameters)


def test_paths_lead_to_the_content_alone() -> None:
    """A path may be written out, as in a shell; another one is refused."""
    batch = batch_of(SHARED)
    paths = tuple(f"{name}[].content" for name in PLAIN)
    assert PreferenceTwins(paths)(batch) == PreferenceTwins(PLAIN)(batch)
    with pytest.raises(InputError, match=r"'chosen\[\].role', but a trainer reads texts"):
        PreferenceTwins(("chosen[].role", "rejected"))(batch)


def test_plain_texts_have_a_prompt() -> None:
    """NaN is none, and a table of pandas has it."""
    batch = {"prompt": ["Who?", math.nan], "chosen": ["He."] * 2, "rejected": ["I."] * 2}
    with pytest.raises(InputError, match=r"row 1 of the batch .* column 'prompt' holds None"):
        PreferenceTwins(ALL)(batch)


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
