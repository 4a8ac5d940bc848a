"""Counterfactual prompts in the shape of langfair, whose generators and measures take them."""

import csv
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fair_datasets.lexicons import load_lexicon
from fair_datasets.measures.inputs import texts
from fair_datasets.reader.matching.mentions import Annotation
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.rewriting import Rows
from fair_datasets.system.checks import InputError, invalid, one_of, warn

_GROUPS = {
    "gender": {"female": "woman", "male": "man"},
    "race": {name: name for name in ("white", "black", "hispanic", "asian")},
}


def counterfactual_prompts(
    prompts: Sequence[str],
    attribute: str | None = None,
    custom_dict: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, list[str] | list[list[str]]]:
    """Rewrite prompts to each group, as `CounterfactualGenerator.create_prompts` of langfair does.

    Only the prompts come back that have a word of the attribute and can be rewritten to each group;
    a warning tells how many others have such a word.

    Args:
        attribute: `"gender"`, or `"race"` for the groups white, black, hispanic and asian.
        custom_dict: In place of an attribute the words of each group; those at one place of the
            lists are each other's counterparts.

    Returns:
        The prompts of each group by `GROUP_prompt`, the `original_prompt`, and as `attribute_words`
        the words that were found in each, in lower case. All lists have one length.
    """
    rows = texts(prompts, "prompts")
    if (attribute is None) == (not custom_dict):
        raise invalid("give either attribute or custom_dict.")
    with tempfile.TemporaryDirectory() as folder:
        if custom_dict:
            axis, groups = _lexicon(custom_dict, Path(folder)), {each: each for each in custom_dict}
        else:
            one_of(attribute, _GROUPS, parameter="attribute")
            axis, groups = str(attribute), _GROUPS[str(attribute)]
        words: dict[int, list[str]] = {}
        made = {each: dict(_written_for(each, rows, axis, words)) for each in groups.values()}
    selected = [row for row in sorted(words) if all(row in new for new in made.values())]
    skipped = [rows[row] for row in sorted(words.keys() - {*selected})]
    if skipped:
        warn(
            f"{len(skipped):,} of {len(rows):,} prompts have such a word and are left out, "
            f"because they cannot be rewritten for each group; one is {skipped[0]!r}.",
        )
    if not selected:
        other = (
            "that can be rewritten" if skipped else f"with a word of {attribute or 'custom_dict'}"
        )
        raise invalid(f"there is no prompt {other}.")
    return {
        **{
            f"{group}_prompt": [made[name][row] for row in selected]
            for group, name in groups.items()
        },
        "original_prompt": [rows[row] for row in selected],
        "attribute_words": [words[row] for row in selected],
    }


def _lexicon(words: Mapping[str, Sequence[str]], folder: Path) -> str:
    lists = list(words.values()) if isinstance(words, Mapping) else []
    if (
        len(lists) < 2
        or not all(isinstance(each, (list, tuple)) for each in lists)
        or len({len(each) for each in lists}) > 1
        or not all(isinstance(word, str) for each in lists for word in each)
    ):
        raise invalid(
            "custom_dict must have a list of words for each of two groups or more, all equally "
            "long, because words at the same place of the lists are counterparts of each other."
        )
    path = folder / "custom_dict.tsv"
    rows = [words, *zip(*words.values(), strict=True)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, "excel-tab", lineterminator="\n").writerows(rows)
    try:
        load_lexicon(str(path))
    except InputError as error:
        message = str(error).replace(str(path), "custom_dict as a lexicon")
        raise invalid(f"{message}") from None
    return str(path)


def _written_for(
    target: str, texts: Sequence[str], axis: str, words: dict[int, list[str]]
) -> Iterator[tuple[int, str]]:
    """Give each text that is of an attribute or can be, and note the mentions of all."""
    others = tuple(name for name in load_lexicon(axis).attributes if name != target)
    swap = CounterfactualSwap(columns="text", axis=axis, source=others, target=target)
    for row in swap.read(Rows([(text,) for text in texts], [None] * len(texts))):
        (reading,) = row.readings
        mentions = _mentions(reading) if reading is not None else []
        if mentions:
            words[row.number] = list(dict.fromkeys(word for word, _ in mentions))
            new = row.counterfactual.texts[0] if row.counterfactual else None
            if new is not None:
                yield row.number, new
            elif all(attribute == target for _, attribute in mentions):
                yield row.number, texts[row.number]


def _mentions(annotation: Annotation) -> list[tuple[str, str]]:
    """Return the mentions of a text, in lower case, with their attributes; also if it is left."""
    spans = [(each.first, each.last, each.term.attribute) for each in annotation.mentions]
    spans += [
        (each.first, each.last, each.attribute) for each in annotation.skipped if each.attribute
    ]
    tokens = annotation.tokens
    return [
        (tokens.text[tokens.starts[first] : tokens.end(last)].lower(), attribute)
        for first, last, attribute in sorted(spans)
    ]
