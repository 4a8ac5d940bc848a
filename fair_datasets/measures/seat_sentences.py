"""The sentences of SEAT: the words of an association test in templates that add little meaning."""

import json
import tomllib
from collections.abc import Collection
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

from fair_datasets.measures.weat import SETS
from fair_datasets.measures.weat_words import weat_test, weat_tests
from fair_datasets.system.checks import InputError

SET_OF_KEY = {"targ1": "X", "targ2": "Y", "attr1": "A", "attr2": "B"}


def seat_sentences(name: str, *, without: Collection[str] = ()) -> dict[str, list[str]]:
    """Write the sentences of a published test with this package's templates.

    Every word stands in six sentences. The templates are fewer than those of May et al., so that
    effect sizes are not to be compared with theirs digit by digit; for their sentences see
    `load_seat_sentences`.

    Args:
        name: A name of `weat_tests`, such as `"C6"`.
        without: Words that are left out, such as those that an encoder has no vector for: without
            its word a sentence would be compared by its template alone.

    Returns:
        `texts`, the sentences, and `sets`, the set of each: `"X"`, `"Y"`, `"A"` or `"B"`.

    Raises:
        InputError: There is no such test.

    Example:
        >>> sentences = seat_sentences("C6")
        >>> sentences["texts"][0], sentences["sets"][0], sentences["texts"][-1]
        ('This is John.', 'X', 'The relatives are there.')

    Source:
        May et al. (2019), On Measuring Social Biases in Sentence Encoders.
    """
    test = weat_test(name)
    names_of_sets = weat_tests()[name]
    texts: list[str] = []
    sets: list[str] = []
    for letter in SETS:
        is_name_set = names_of_sets[letter] in _data()["name_sets"]["sets"]
        for word in getattr(test, letter):
            if word in without:
                continue
            written = _sentences(word, "name" if is_name_set else _kind(word))
            texts += written
            sets += [letter] * len(written)
    return {"texts": texts, "sets": sets}


def load_seat_sentences(path: str | PathLike[str]) -> dict[str, list[str]]:
    """Read the sentences of a test from a file of your own.

    The file is one JSON object with the keys `targ1`, `targ2`, `attr1` and `attr2`, each an object
    with the sentences under `examples`, as in the files of May et al., which this package does not
    contain.

    Returns:
        `texts`, the sentences, and `sets`, the set of each: `"X"`, `"Y"`, `"A"` or `"B"`.

    Raises:
        InputError: There is no such file, or it is not of that form.

    Example:
        >>> load_seat_sentences("no.jsonl")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: load_seat_sentences: there is no file 'no.jsonl'.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError(f"load_seat_sentences: there is no file {str(path)!r}.")
    try:
        test = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"load_seat_sentences: {file.name!r} is not JSON: {error}.") from None
    texts: list[str] = []
    sets: list[str] = []
    for key, letter in SET_OF_KEY.items():
        examples = _examples(test, key)
        if not examples or not all(isinstance(example, str) for example in examples):
            raise InputError(
                f"load_seat_sentences: {file.name!r} has no list of sentences at {key!r}, "
                "'examples'."
            )
        texts += examples
        sets += [letter] * len(examples)
    return {"texts": texts, "sets": sets}


def _examples(test: Any, key: str) -> list[Any]:
    """Return what stands under a key's examples, or nothing."""
    part = test.get(key) if isinstance(test, dict) else None
    examples = part.get("examples") if isinstance(part, dict) else None
    return examples if isinstance(examples, list) else []


def _sentences(word: str, kind: str) -> list[str]:
    """Put a word into the templates of its kind."""
    has_an = word[0] in "aeiouAEIOU" and word not in _data()["articles"]["a"]
    phrase = f"{'an' if has_an else 'a'} {word}"
    return [template.format(word, a=phrase) for template in _data()["templates"][kind]]


def _kind(word: str) -> str:
    """Return the kind of a word that stands in no set of names."""
    for kind, words in _data()["words"].items():
        if word in words:
            return str(kind)
    return "count"


@cache
def _data() -> dict[str, Any]:
    """Read the templates."""
    file = resources.files("fair_datasets.measures").joinpath("data", "seat.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
