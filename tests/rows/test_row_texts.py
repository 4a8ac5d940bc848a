"""Everything is read that a model reads of a conversation, and written where it stood."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.rows import texts_of
from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows
from fair_datasets.swap.rewriting.rewriter import JSON_CHANGES


class Person(NamedTuple):
    """How somebody is written of."""

    name: str
    he: str
    his: str
    son: str


JOHN = Person("John", "he", "his", "son")
MARY = Person("Mary", "she", "her", "daughter")


def ask(who: Person = JOHN) -> dict[str, Any]:
    """Return the message that a conversation begins with."""
    return {"role": "user", "content": f"Call {who.name} Smith, {who.he} waits."}


def call(arguments: Any) -> dict[str, Any]:
    """Return a message that calls a tool."""
    function = {"name": "john", "arguments": arguments}
    calls = [{"id": "he", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def answer(content: Any, role: str = "assistant", **more: Any) -> dict[str, Any]:
    """Return a message that says something."""
    return {"role": role, "content": content, **more}


CASES: list[Callable[[Person], dict[str, Any]]] = [
    lambda who: call(f'{{"to": "{who.name} Smith", "n": 1.50, "his": true}}'),
    lambda who: call({"to": f"{who.name} Smith", "n": 1, "his": None}),
    lambda who: call(f'{{"notes": ["Note:\\n{who.he} said \\"{who.his} {who.son}\\""]}}'),
    lambda who: call(f"to {who.name} Smith"),
    lambda who: call(f"{{'to': '{who.name} Smith'}}"),
    lambda who: answer(None, function_call={"name": "he", "arguments": f'["{who.his} {who.son}"]'}),
    lambda who: answer(f'{{"guest": "{who.name} Smith", "his": 1}}', "tool", name="he"),
    lambda who: answer(f"{who.name} Smith is in.", "tool"),
    lambda who: answer("Yes.", reasoning_content=f"{who.name} says that {who.he} is in."),
    lambda who: answer("Yes.", thinking=f"{who.name} says that {who.he} is in."),
    lambda who: answer("Yes.", "user", name=who.name),
    lambda who: answer([
        {"type": "text", "text": f"I ask whether {who.he} is in."},
        {"type": "tool_use", "id": "he", "name": "he", "input": {"to": f"{who.name} Smith"}},
    ]),
    lambda who: answer([{"type": "tool_result", "id": "he", "content": f"Is {who.he} in?"}]),
    lambda who: answer([
        {"type": "tool_result", "content": [{"type": "text", "text": f"Is {who.he} in?"}]}
    ]),
]  # fmt: skip


@pytest.mark.parametrize("message", CASES, ids=range(len(CASES)))
def test_everything_that_a_model_reads_is_rewritten(
    message: Callable[[Person], dict[str, Any]],
) -> None:
    """And nothing else: neither keys, nor the names of tools, nor ids."""
    talk, expected = ([ask(who), message(who)] for who in (JOHN, MARY))
    if isinstance(talk[1]["content"], list):  # Arrow has one type for all contents.
        for each in (talk, expected):
            each[0]["content"] = [{"type": "text", "text": each[0]["content"]}]
    swap = CounterfactualSwap("messages[].content", mode="replace")
    assert swap({"messages": [talk]})["messages"] == [expected]
    rows = Dataset.from_list([{"messages": talk}])
    assert without_nulls(swap.apply(rows)[0]["messages"]) == without_nulls(expected)
    assert len(texts_of(rows, "messages[].content")[0].splitlines()) > 1


def without_nulls(value: Any) -> Any:
    """Leave out the keys that Arrow gives to all objects of a list."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


def test_roles_choose_whose_calls_are_rewritten() -> None:
    """As they choose whose texts are."""
    talk = [ask(), call('{"to": "John Smith"}'), {"role": "tool", "content": "He is in."}]
    swap = CounterfactualSwap("messages[].content", mode="replace", roles=("user", "tool"))
    assert swap({"messages": [talk]})["messages"][0] == [
        {"role": "user", "content": "Call Mary Smith, she waits."}, talk[1],
        {"role": "tool", "content": "She is in."},
    ]  # fmt: skip


def test_objects_that_are_no_messages_have_one_text() -> None:
    """Nobody speaks in them, and what stands beside the text is not read."""
    rows = {"turns": [[{"content": "He ran.", "name": "John", "arguments": '{"a": "he"}'}]]}
    found = CounterfactualSwap("turns[].content", mode="replace")(rows)["turns"][0][0]
    assert found == {"content": "She ran.", "name": "John", "arguments": '{"a": "he"}'}


def test_edits_of_keys_are_none() -> None:
    """They are neither made nor stated."""
    talk = [ask(), call('{"wife": "his wife"}')]
    swap = CounterfactualSwap("messages[].content", mode="replace", provenance=True)
    found = swap({"messages": [talk]})
    function = found["messages"][0][1]["tool_calls"][0]["function"]
    assert function["arguments"] == '{"wife": "her husband"}'
    label = "messages[1].tool_calls[0].function.arguments"
    own = [edit["before"] for edit in found["edits"][0] if edit["column"] == label]
    assert own == ["his", "wife"]


@dataclass(frozen=True, kw_only=True)
class Careless(Rewriter):
    """Writes texts anew, whatever they hold."""

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Write the same for each text."""
        for number, texts in enumerate(rows.texts):
            yield number, Counterfactual(tuple(text and "Dear Ada." for text in texts))


def test_json_that_would_be_none_is_left() -> None:
    """A tool could not read it."""
    rewriter = Careless(columns="messages[].content", mode="replace")
    talks = [[ask(), call('{"to": "John Smith"}')], [ask()]]
    found = rewriter({"messages": talks})["messages"]
    assert found == [talks[0], [{"role": "user", "content": "Dear Ada."}]]
    assert rewriter.skip_reasons({"messages": talks}) == {0: JSON_CHANGES}
    with pytest.warns(FutureWarning, match="Careless: rename left to skip_reasons"):
        assert rewriter.left({"messages": talks}) == {0: JSON_CHANGES}
