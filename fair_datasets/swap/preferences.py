"""Twins of preference data: the rows that a reward model or a policy learns from, swapped.

A row says that one answer to a prompt is preferred to another. It has one of the four forms of TRL:
plain texts or conversations, with the prompt as a column or as what both answers begin with.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fair_datasets.rows.column_checks import is_null, shortened
from fair_datasets.rows.row_texts import READ_BESIDE, Row, RowTexts
from fair_datasets.rows.text_fields import EACH, text_field
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.rewriting import Counterfactual, Rows
from fair_datasets.swap.rewriting.counterfactuals import Edit
from fair_datasets.swap.rewriting.rewriter import Logs
from fair_datasets.swap.rewriting.skipped import count_other_skips
from fair_datasets.system.checks import format_choices, invalid, typed
from fair_datasets.technique.contract import Batch

VARIANT = "variant"
"""The column that tells an `original` from its `twin`."""
TIES = ("equal", "gap")
"""The modes that write an answer beside its own twin."""

_PROMPT, _MARGIN = "prompt", "margin"
_COMPUTED = (
    "prompt_ids", "chosen_ids", "rejected_ids", "prompt_input_ids", "chosen_input_ids",
    "rejected_input_ids", "ref_chosen_logps", "ref_rejected_logps",
)  # fmt: skip
# Columns that would be wrong of a twin; the last of an answer and its twin alone.
_REFUSED = {
    **dict.fromkeys(
        _COMPUTED, "is computed from the texts, and a twin would have that of its original"
    ),
    **dict.fromkeys(
        ("tools", "image", "images"),
        "may speak of the same people, and is not rewritten with the texts",
    ),
    _MARGIN: "says how much better the chosen answer is, and a reward model trains on it",
}
_ROLE, _CONTENT, _ASSISTANT = "role", "content", "assistant"
_CONVERSATION = (EACH, _CONTENT)
# What a message of the assistant may have in the place of a content.
_CALLS = ("tool_calls", "function_call")


class _Preference(NamedTuple):
    """The values of a row: texts, or lists of messages; nulls among them."""

    prompt: Any
    chosen: Any
    rejected: Any

    @property
    def is_implicit(self) -> bool:
        """Whether both answers begin with the prompt, as beside a prompt that is a plain text."""
        return self.prompt is None or (isinstance(self.prompt, str) and _is_list(self.chosen))

    def shared(self) -> int:
        """Count the messages, or the letters of whole words, that both answers begin with."""
        pairs = zip(self.chosen, self.rejected, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if isinstance(self.chosen, str) and self.chosen != self.rejected:
            while shared and not self.chosen[shared - 1].isspace():
                shared -= 1
        return shared


@dataclass(frozen=True, kw_only=True)
class PreferenceTwins(CounterfactualSwap):
    """Write the twin of each preference, in which an attribute is swapped, for `datasets.map`.

    Prompt and answers are rewritten by one mapping, and what both answers begin with stays the same
    in both. A twin keeps the preference. Of conversations `content` and the arguments of tool
    calls change.

    Attributes:
        columns: The columns of the chosen and the rejected answer, in this order, behind that of
            the prompt where there is one. Each holds texts or conversations, lists of messages with
            `role` and `content`.
        roles: Not for preferences: the prompt and the answers would disagree.
        mode: `augment`: each row, then its twin. `substitute` and `replace`: as for
            `CounterfactualSwap`. `equal`: of each row whose chosen answer changes and whose prompt
            does not, the answer and its twin, as chosen and rejected and the other way round: the
            loss of both rows is least where they are equally likely. `gap`: the first of the two
            alone, for evaluation. The last two leave the preferences themselves out.

    The others are those of `CounterfactualSwap`. The column `variant` says `original` or `twin`.

    Raises:
        InputError: A parameter is not what it must be, or would do nothing beside the others.

    Example:
        >>> rows = {
        ...     "prompt": ["Who is he?", "Who waits?"],
        ...     "chosen": ["He cooks.", "He does."],
        ...     "rejected": ["Ask him.", "No."],
        ... }
        >>> columns = ("prompt", "chosen", "rejected")
        >>> twins = PreferenceTwins(columns, mode="replace")(rows)
        >>> twins["prompt"], twins["chosen"], twins["rejected"]
        (['Who is she?', 'Who waits?'], ['She cooks.', 'She does.'], ['Ask her.', 'No.'])
        >>> equal = PreferenceTwins(columns, mode="equal")(rows)
        >>> equal["prompt"], equal["chosen"], equal["rejected"]
        (['Who waits?', 'Who waits?'], ['He does.', 'She does.'], ['She does.', 'He does.'])
    """

    modes: ClassVar[tuple[str, ...]] = ("augment", "substitute", "replace", *TIES)
    counted: ClassVar[tuple[str, ...]] = (VARIANT,)
    without_nulls: ClassVar[tuple[str, ...]] = ("prompt",)
    reads_edits: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        if len(self.columns) not in (2, 3):
            raise invalid(
                f"columns must name the chosen and the rejected answer, after the prompt "
                f"if that is a column, but it names {format_choices(self.columns)}; give "
                "('chosen', 'rejected') or ('prompt', 'chosen', 'rejected')."
            )
        if _PROMPT in self.columns[-2:]:
            raise invalid(
                f"columns names {_PROMPT!r} in the place of an answer: "
                f"{format_choices(self.columns)}; give ('prompt', 'chosen', 'rejected'), in this "
                "order."
            )
        if self.roles:
            raise invalid(
                "roles leaves what others say as it is, so the prompt and the answers "
                "would disagree; leave roles out."
            )
        if self.offsets and self.mode in TIES:
            raise invalid(
                f"{typed('offsets')} move with the texts of a row, but {typed('mode', self.mode)} "
                f"puts an answer beside its twin; leave {typed('offsets')} out."
            )
        if self.provenance and self.mode in TIES:
            raise invalid(
                f"{typed('provenance')} tells what was done to a row, but "
                f"{typed('mode', self.mode)} puts an answer beside its twin; use "
                f"{typed('mode', 'replace')} for the edits."
            )

    def texts(self, batch: Batch) -> RowTexts:
        """Return the texts of the rows of a batch, or raise a sentence about one of them."""
        fields = []
        for name in self.columns:
            field = text_field(name, batch)
            if not field.steps and _holds_lists(batch[field.column]):
                field = field._replace(steps=_CONVERSATION)
            if field.steps not in ((), _CONVERSATION):
                raise invalid(
                    f"columns names {name!r}, but a trainer reads texts, or the "
                    f"{_CONTENT!r} of messages; give {field.column!r}."
                )
            fields.append(field)
        read = RowTexts.read(batch, [field.name for field in fields])
        names = [field.column for field in fields]
        for number, row in enumerate(zip(*(read.columns[name] for name in names), strict=True)):
            fault = next(_faults(row, names), None)
            if fault:
                raise invalid(f"in row {number} of the batch (counted from 0) {fault}.")
        return read

    def fitting(
        self, texts: RowTexts, rows: Rows, rewrites: dict[int, list[Counterfactual]]
    ) -> dict[int, list[Counterfactual]]:
        """Leave out what would be another preference, or none: see `Rewriter.fitting`."""
        fitting, skipped = self._divided(texts, rows, rewrites)
        count_other_skips(skipped, rows)
        return fitting

    def skip_reasons(self, batch: Batch) -> dict[int, str]:
        """Return why rows whose texts could be rewritten are left as preferences.

        Example:
            >>> twins = PreferenceTwins(("chosen", "rejected"), target="woman")
            >>> twins.skip_reasons({"chosen": ["Who? She."], "rejected": ["Who? He."]})
            {0: 'both answers would be the same'}
        """
        texts = self.texts(batch)
        rows = self.rows(batch, texts.rows)
        return self._divided(
            texts, rows, self._select_counterfactuals(rows, self.chosen(batch))[0]
        )[1]

    def _divided(
        self, texts: RowTexts, rows: Rows, rewrites: dict[int, list[Counterfactual]]
    ) -> tuple[dict[int, list[Counterfactual]], dict[int, str]]:
        """Return what is written from the rows that are left, with the reasons."""
        fitting: dict[int, list[Counterfactual]] = {}
        skipped: dict[int, str] = {}
        for number, several in rewrites.items():
            old = _preference(texts, number, rows.texts[number])
            for new in several:
                reason = self._unfit(old, _preference(texts, number, new.texts), new.edits or ())
                if reason:
                    skipped[number] = reason
                else:
                    fitting.setdefault(number, []).append(new)
        return fitting, {number: skipped[number] for number in skipped if number not in fitting}

    def _unfit(self, old: _Preference, new: _Preference, edits: Sequence[Sequence[Edit]]) -> str:
        """Return why a counterfactual is not written; empty where it is."""
        if old.chosen is None or old.rejected is None:
            return "an answer is missing"
        chosen, rejected, same = _beginnings(old, new, edits) if old.is_implicit else [()] * 3
        if self.mode in TIES:
            if old.chosen == new.chosen:
                return "the chosen answer does not change"
            return "" if old.prompt == new.prompt and chosen == same else "the prompt changes too"
        if chosen != rejected:
            return "what both answers begin with would differ"
        is_lost = new.chosen == new.rejected and old.chosen != old.rejected
        return "both answers would be the same" if is_lost else ""

    def added_columns(self, existing: Iterable[str]) -> list[str]:
        """Name all columns that are added: see `Rewriter.added_columns`.

        Raises:
            InputError: A column is not there, or one is there that would be wrong of a twin.
        """
        names = list(existing)
        own = {text_field(name, names).column for name in self.columns}
        for name in names:
            if name in _REFUSED and (name != _MARGIN or self.mode in TIES):
                raise invalid(
                    f"column {name!r} {_REFUSED[name]}; leave it out by "
                    f"`dataset.remove_columns({name!r})`."
                )
        if _PROMPT in names and _PROMPT not in own:
            raise invalid(
                f"column {_PROMPT!r} would not be rewritten with the answers to it; name "
                f"it first in columns: {(_PROMPT, *self.columns)}."
            )
        return super().added_columns(names)

    def log_columns(self) -> Mapping[str, Any]:
        """Name the column of variants, and that of confidences if it is asked for."""
        return {VARIANT: "string", **super().log_columns()}

    def added_rows(self, before: int, after: int) -> int:
        """Return how many counterfactuals a result has: see `Rewriter.added_rows`."""
        return {"equal": after // 2, "gap": after}.get(self.mode, after - before)

    def _log(
        self, origins: Sequence[int], changed: Mapping[int, Counterfactual], logs: Logs
    ) -> dict[str, list[Any]]:
        """Write the columns for the rows of a result, that of variants among them."""
        variants = ["twin" if row in changed else "original" for row in range(len(origins))]
        return {**super()._log(origins, changed, logs), VARIANT: variants}

    def _processed(self, batch: Batch, chosen: Sequence[int] | None) -> dict[str, list[Any]]:
        """Rewrite a batch, and put answers beside their twins where that is the mode."""
        result = super()._processed(batch, chosen)
        if self.mode not in TIES or chosen is not None:
            return result
        first, second = (text_field(name, batch).column for name in self.columns[-2:])
        twins = [row for row, variant in enumerate(result[VARIANT]) if variant == "twin"]
        orders = (("original", 0), ("twin", 1))[: 2 if self.mode == "equal" else 1]
        written = {
            name: [values[row] for row in twins for _ in orders] for name, values in result.items()
        }
        originals = list(batch[first])
        pairs = [(originals[row], result[first][row]) for row in twins]
        written[first] = [pair[place] for pair in pairs for _, place in orders]
        written[second] = [pair[1 - place] for pair in pairs for _, place in orders]
        written[VARIANT] = [variant for _ in pairs for variant, _ in orders]
        return written


def _preference(texts: RowTexts, number: int, row: Row) -> _Preference:
    """Return the values of a row with these texts."""
    values = texts.written(number, row)
    several = [values[field.column] for field in texts.fields]
    return _Preference(*[None] * (3 - len(several)), *several)


def _beginnings(
    old: _Preference, new: _Preference, edits: Sequence[Sequence[Edit]]
) -> list[Sequence[Any]]:
    """Return what becomes of the beginning that both answers share: in each, and where it stays."""
    shared = old.shared()
    if isinstance(old.chosen, str):
        return [[edit for edit in own if edit.start < shared] for own in (*edits[-2:], ())]
    return [talk[:shared] for talk in (new.chosen, new.rejected, old.chosen)]


def _is_list(value: Any) -> bool:
    """Whether a value is a list, in whichever way an engine gives it."""
    return isinstance(value, list | tuple | np.ndarray)


def _holds_lists(values: Sequence[Any]) -> bool:
    """Whether the first value that there is is a list."""
    return _is_list(next((value for value in values if not is_null(value)), None))


def _faults(row: Sequence[Any], names: Sequence[str]) -> Iterator[str]:
    """Yield what no trainer could read in a row, or what would be wrong of its twin."""
    values = dict(zip(names, row, strict=True))
    talks = {name: value for name, value in values.items() if _is_list(value)}
    *prompt, chosen, rejected = names
    for name in prompt:
        if is_null(values[name]):
            yield (
                f"column {name!r} holds {shortened(values[name])}; write the prompt, or drop the "
                "row, or, where both answers begin with the prompt, drop the column"
            )
    if not talks:
        return
    for name, talk in talks.items():
        yield from _faults_of_messages(name, talk)
    for name in (chosen, rejected):
        if name not in talks and not is_null(values[name]):
            other, *_ = talks
            yield (
                f"column {name!r} holds {shortened(values[name])}, but {other!r} holds a "
                "conversation; write both as lists of messages"
            )
    answers = {name: talks[name] for name in (chosen, rejected) if name in talks}
    for name, talk in answers.items():
        if talk[-1][_ROLE] != _ASSISTANT:
            yield (
                f"column {name!r} ends with a message of {talk[-1][_ROLE]!r}, "
                f"{shortened(talk[-1][_CONTENT])}, and not of {_ASSISTANT!r}; add the answer, or "
                "drop the row"
            )
        if prompt and prompt[0] in talks and talk[0][_ROLE] in ("system", "developer", "user"):
            yield (
                f"column {name!r} begins with a message of {talk[0][_ROLE]!r}, "
                f"{shortened(talk[0][_CONTENT])}, beside the column {prompt[0]!r}, so that the "
                "prompt would be read twice; drop that column, or those messages"
            )
    if len(answers) == 2 and not (prompt and prompt[0] in talks):
        place = _Preference(None, *map(list, answers.values())).shared()
        differ = [talk[place] for talk in answers.values() if place < len(talk)]
        if differ and (not place or any(message[_ROLE] != _ASSISTANT for message in differ)):
            yield (
                f"{chosen!r} and {rejected!r} begin with different prompts: message {place} is "
                f"{' and '.join(shortened(message[_CONTENT]) for message in differ)}; let both "
                "begin with the same messages"
            )


def _faults_of_messages(name: str, talk: Any) -> Iterator[str]:
    """Yield what is wrong with the messages of a conversation."""
    if not len(talk):
        yield f"column {name!r} holds the empty list []; drop the row, or write its messages"
    for place, message in enumerate(talk):
        where = f"{name}[{place}]"
        if is_null(message):
            yield f"{where!r} is {shortened(message)}; write the message, or drop the row"
        elif not isinstance(message, Mapping) or not {_ROLE, _CONTENT} <= message.keys():
            yield (
                f"{where!r} is {shortened(message)}, but a message has the keys {_ROLE!r} and "
                f"{_CONTENT!r}; rename what it has"
            )
        elif not isinstance(message[_ROLE], str):
            yield f"{where!r} has the role {shortened(message[_ROLE])}; write a text"
        else:
            yield from _missing_texts(where, message)
            for key, value in message.items():
                is_read = key in (_ROLE, _CONTENT, "tool_call_id") or key in READ_BESIDE
                if not is_read and _has_content(value):
                    yield (
                        f"{where!r} has {key!r}: {shortened(value)}, which is not rewritten with "
                        f"the texts; drop that key, or the row"
                    )


def _has_content(value: Any) -> bool:
    """Whether a value is a text, an object or a list in which something stands."""
    return (isinstance(value, str | Mapping) or _is_list(value)) and len(value) > 0


def _missing_texts(where: str, message: Mapping[str, Any]) -> Iterator[str]:
    """Yield which text of a message is null; a message that calls a tool needs none."""
    content, calls = message[_CONTENT], (message.get(key) for key in _CALLS)
    places = {f"{where}.{_CONTENT}": content}
    if is_null(content) and any(map(_has_content, calls)):
        return
    if _is_list(content):
        places = {
            f"{where}.{_CONTENT}[{place}].text": part["text"]
            for place, part in enumerate(content)
            if isinstance(part, Mapping) and part.get("type") == "text" and "text" in part
        }
    for place, value in places.items():
        if is_null(value):
            yield f"{place!r} is {shortened(value)}; write the text, or drop the row"
