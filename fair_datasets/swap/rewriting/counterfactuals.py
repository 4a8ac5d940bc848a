"""What a rewriter is given, and what it gives back."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from fair_datasets.reader.matching.tokenizer import is_abbreviated
from fair_datasets.rows import draws
from fair_datasets.rows.row_texts import Row, RowTexts
from fair_datasets.system.checks import invalid, with_article

# A word, or any other sign by itself.
_TOKEN = re.compile(r"\w+|\W")


class Edit(NamedTuple):
    """One change of a text.

    Attributes:
        start: Where it begins in the text before, in characters.
        axis: The demographic axis; empty where it is not known.
        attribute: The demographic attribute that is mentioned now; empty after a removal, or where
            it is not known.
    """

    start: int
    end: int
    before: str
    after: str
    axis: str
    attribute: str


# The same from a tuple of its attributes, which takes half the time.
as_edit = partial(tuple.__new__, Edit)


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Make edits in a text."""
    pieces: list[str] = []
    position = 0
    for start, end, _, after, _, _ in edits:
        pieces += text[position:start], after
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def shifted(edits: Sequence[Edit], offset: int) -> list[Edit]:
    """Return where the edits of a part of a text are in the whole text.

    Example:
        >>> shifted([Edit(0, 2, "He", "She", "gender", "woman")], 5)[0].start
        5
    """
    return [edit._replace(start=edit.start + offset, end=edit.end + offset) for edit in edits]


def aligned_edits(before: str, after: str, *, axis: str = "", attribute: str = "") -> list[Edit]:
    """Find the edits that lead from one text to another, word by word.

    Returns:
        The edits, in the order of the text. What they leave out is the same in both texts.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    # The matcher compares by hashes; numbers have none that two of them share.
    numbers: dict[str, int] = {}
    steps = Levenshtein.opcodes(
        [numbers.setdefault(word, len(numbers)) for word in old],
        [numbers.setdefault(word, len(numbers)) for word in new],
    )
    edits = []
    position = 0
    for is_equal, group in groupby(steps, lambda step: step.tag == "equal"):
        block = list(group)
        removed = "".join(old[block[0].src_start : block[-1].src_end])
        added = "".join(new[block[0].dest_start : block[-1].dest_end])
        if not is_equal:
            end = position + len(removed)
            edits.append(Edit(position, end, removed, added, axis, attribute))
        position += len(removed)
    return edits


_NO_LOG: Mapping[str, Any] = MappingProxyType({})


class Rows(NamedTuple):
    """The rows that are rewritten: their texts, and what identifies them.

    Attributes:
        ids: The id of each row; None where it is a null, or there is no column of ids.
        groups: What each row belongs to, such as a document, whose rows draw the same; empty where
            each draws for itself, and None for a row that does.
        others: The values of the other columns that the rewriter reads.
    """

    texts: Sequence[Row]
    ids: Sequence[str | None]
    groups: Sequence[str | None] = ()
    others: Mapping[str, Sequence[Any]] = _NO_LOG

    def group(self, number: int) -> str | None:
        """Return what a row belongs to; None where it draws for itself."""
        return self.groups[number] if self.groups else None

    def key(self, number: int) -> str:
        """Return the key of a row's draws: what it belongs to, its id, or its texts."""
        group, row_id = self.group(number), self.ids[number]
        if group is not None:
            return draws.row_key([group, "group"])
        return draws.row_key(self.texts[number] if row_id is None else [row_id])

    def take(self, numbers: Sequence[int]) -> "Rows":
        """Return some of the rows, numbered anew."""
        groups = [self.groups[k] for k in numbers] if self.groups else ()
        others = {name: [values[k] for k in numbers] for name, values in self.others.items()}
        texts, ids = [self.texts[k] for k in numbers], [self.ids[k] for k in numbers]
        return Rows(texts, ids, groups, others)


class Counterfactual(NamedTuple):
    """The texts that a row is rewritten to.

    Attributes:
        texts: One for each text of the row, those that stay included. Where all stay, the row has
            no counterfactual, and the log says what was tried.
        edits: For each text its edits, in the order of the text; None to find them by aligning the
            texts word by word, when they are asked for.
        log: What the rewriter's own columns say; null for those that are left out. What is no
            column of its `log_columns` is not kept.

    Example:
        >>> found = Counterfactual(("She ran.",), axis="gender", attribute="woman")
        >>> [(edit.before, edit.after) for edit in found.edits_from(("He ran.",))[0]]
        [('He', 'She')]
    """

    texts: Row
    edits: Sequence[Sequence[Edit]] | None = None
    axis: str = ""
    attribute: str = ""
    log: Mapping[str, Any] = _NO_LOG

    def edits_from(self, row: Row) -> Sequence[Sequence[Edit]]:
        """Return the edits of each text; a text that is or becomes a null has none."""
        if self.edits is not None:
            return self.edits
        return [
            []
            if before is None or after is None
            else aligned_edits(before, after, axis=self.axis, attribute=self.attribute)
            for before, after in zip(row, self.texts, strict=True)
        ]


PROVENANCE = ("counterfactual", "edits")
_STRINGS = ("before", "after", "axis", "attribute")
_OFFSETS = ("start", "end", "after_start", "after_end")


def trace(column: str, edits: Sequence[Edit]) -> list[dict[str, Any]]:
    """State the edits of a text, with offsets into the text before and the text after.

    Returns:
        For each edit the column, `start` and `end` in the text before, `after_start` and
        `after_end` in the text after, all in characters, and `before`, `after`, `axis` (a lexicon
        of one's own by its name, as where it lies is nobody's business) and `attribute`.
    """
    stated: list[dict[str, Any]] = []
    shift = 0
    for start, end, before, after, axis, attribute in edits:
        begin = start + shift
        stop = begin + len(after)
        stated.append({
            "column": column, "start": start, "end": end, "before": before, "after": after,
            "axis": _axis_name(axis), "attribute": attribute, "after_start": begin,
            "after_end": stop,
        })  # fmt: skip
        shift = stop - end
    return stated


@lru_cache
def _axis_name(axis: str) -> str:
    """Return what an axis is called: a lexicon of one's own by the name of its file."""
    return Path(axis).name.removesuffix(".tsv")


def state_provenance(
    texts: RowTexts, origins: Sequence[int], changed: Mapping[int, Counterfactual]
) -> dict[str, list[Any]]:
    """Write the provenance columns for the rows of a result.

    Example:
        >>> texts = RowTexts.read({"t": ["He"]}, ["t"])
        >>> new = Counterfactual(("She",), axis="gender", attribute="woman")
        >>> found = state_provenance(texts, [0, 0], {1: new})
        >>> found["counterfactual"], found["edits"][1][0]["after"]
        ([False, True], 'She')
    """
    edits: list[list[dict[str, Any]]] = [[] for _ in origins]
    for number, new in changed.items():
        origin = origins[number]
        row_edits = new.edits_from(texts.rows[origin])
        for label, own in zip(texts.labels(origin), row_edits, strict=True):
            edits[number] += trace(label, own)
    is_changed = [number in changed for number in range(len(origins))]
    return {"counterfactual": is_changed, "edits": edits}


def provenance_features() -> dict[str, Any]:
    """Return the features of the provenance columns."""
    from datasets import List, Value

    edit = {"column": Value("string")}
    edit |= {name: Value("int64") for name in _OFFSETS}
    edit |= {name: Value("string") for name in _STRINGS}
    return {"counterfactual": Value("bool"), "edits": List(edit)}


def undo(text: str, edits: Sequence[Mapping[str, Any]], *, column: str | None = None) -> str:
    """Restore the text that a counterfactual was made from.

    Args:
        edits: What the provenance column `edits` holds for its row.
        column: The text's column, where the row has several; None for all edits.

    Raises:
        InputError: The edits are not those of this text.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
        >>> row = swap({"text": ["She is an actress."]})
        >>> row["text"][0], undo(row["text"][0], row["edits"][0])
        ('He is an actor.', 'She is an actress.')
    """
    _refuse_other_than_edits(text, edits)
    chosen = [edit for edit in edits if column is None or edit["column"] == column]
    if column is None and len({edit["column"] for edit in chosen}) > 1:
        columns = ", ".join(sorted({repr(edit["column"]) for edit in chosen}))
        raise invalid(f"the edits are of several columns ({columns}); name the column of the text.")
    parts, done = [], 0
    # Of two at one place the first was of a word that is gone.
    for edit in sorted(chosen, key=itemgetter("after_start")):
        start, end = edit["after_start"], edit["after_end"]
        if start < done or text[start:end] != edit["after"]:
            raise invalid(
                f"{edit['after']!r} does not stand at {start} to {end} of the text; give the "
                "edits of its own row, and the text as the technique wrote it."
            )
        parts += [text[done:start], edit["before"]]
        done = end
    return "".join([*parts, text[done:]])


def _refuse_other_than_edits(text: Any, edits: Any) -> None:
    if not isinstance(text, str):
        raise invalid(
            f"the text must be a string, but it is {with_article(type(text).__name__)}; give "
            "the text as the technique wrote it."
        )
    needed = ("column", "before", "after", "after_start", "after_end")
    is_list = isinstance(edits, Sequence) and all(isinstance(edit, Mapping) for edit in edits)
    if not is_list or any(name not in edit for edit in edits for name in needed):
        raise invalid(
            f"the edits must be a list of mappings with {', '.join(needed)}, as the column "
            f"'edits' holds them, but they are {edits!r}."
        )


# The end of a sentence: its sign with closing quotes and brackets, white space, and what is no
# small letter; or an empty line.
_BORDER = re.compile(r"(?:[.!?…]+[\"'”’»)\]]*\s+|\n\s*\n\s*)(?=\S)")
_LAST_WORD = re.compile(r"[\w.]+(?=\.\s+$)")
# A period behind these, too, seldom ends a sentence, and a text is cut at few of its sentences.
_ABBREVIATIONS = frozenset({"vs", "etc", "no", "vol", "fig", "e.g", "i.e", "cf"})


def sentence_starts(text: str) -> list[int]:
    """Find where the sentences of a text begin.

    Returns:
        The offsets in characters, the first of which is 0; none for an empty text. White space
        between two sentences belongs to the first.
    """
    if not text:
        return []
    starts = [0]
    for border in _BORDER.finditer(text):
        following = text[border.end()]
        has_line = border.group().count("\n") > 1
        if has_line or not (following.islower() or _is_abbreviated(text, border)):
            starts.append(border.end())
    return starts


def _is_abbreviated(text: str, border: re.Match[str]) -> bool:
    """Whether a period is that of an abbreviation or of an initial."""
    word = _LAST_WORD.search(text, max(0, border.start() - 12), border.end())
    if word is None:
        return False
    spelling = word.group()
    return spelling.lower() in _ABBREVIATIONS or is_abbreviated(spelling)
