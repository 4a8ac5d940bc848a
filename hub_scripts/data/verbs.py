"""Writes the table of English verbs that agreement with singular "they" needs.

The forms are those of LemmInflect (MIT), which has them from the SPECIALIST Lexicon of the US
National Library of Medicine. LemmInflect is needed to write the table, not to read it:

    pip install lemminflect==0.2.3
    python -m hub_scripts.data.verbs --out fair_datasets/reader/english/verbs.tsv
"""

import argparse
import gzip
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from fair_datasets.system.checks import InputError
from hub_scripts.data.first_names import write_cells

_HEADER = ("third_person", "base", "participles", "plural_noun")
_THIRD_PERSON = re.compile("[a-z]+s")


def read_forms(path: Path) -> list[list[str]]:
    """Read the inflected words of LemmInflect, in lower case.

    Args:
        path: The gzipped file `infl_lu.csv.gz`.

    Returns:
        The base form, the part of speech and the forms of each: of a verb its past, past
        participle, present participle and third person, of a noun its plural. Spellings are parted
        by `/`, and a participle that is like the past is empty.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as a gzipped table: {error}.") from error
    return [line.lower().split(",") for line in lines]


def regular_third_person(base: str) -> str:
    """Form the third person singular of a verb by rule.

    Returns:
        Its regular third person.

    Example:
        >>> [regular_third_person(verb) for verb in ("like", "try", "play", "go", "watch")]
        ['likes', 'tries', 'plays', 'goes', 'watches']
    """
    if re.search("[^aeiou]y$", base):
        return base[:-1] + "ies"
    return base + ("es" if re.search("(?:s|x|z|ch|sh|[^aeiou]o)$", base) else "s")


def verb_rows(forms: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Make one row for each third person singular.

    Args:
        forms: What `read_forms` returns.

    Returns:
        The third person, the base form, the past participles that do not end in "ed" (parted by
        `|`), and whether the third person is also spelt like the plural of a noun; sorted.

    Example:
        >>> verb_rows([["sing", "verb", "sang", "sung", "singing", "sings"]])
        [('sings', 'sing', 'sung', '')]
    """
    plurals = {form for word in forms if word[1] == "noun" for form in word[2].split("/")}
    bases: dict[str, list[str]] = {}
    participles: dict[str, str] = {}
    for word in forms:
        if word[1] != "verb":
            continue
        base, _, past, participle, _, third_person = word
        irregular = [form for form in (participle or past).split("/") if not form.endswith("ed")]
        for form in filter(_THIRD_PERSON.fullmatch, third_person.split("/")):
            bases.setdefault(form, []).append(base)
            participles[form] = "|".join(irregular)
    return [
        (
            third_person,
            # "fulfills" is both of "fulfil" and "fulfill"; by rule it is of the second.
            min(lemmas, key=lambda base: (regular_third_person(base) != third_person, len(base))),
            participles[third_person],
            "noun" if third_person in plurals else "",
        )
        for third_person, lemmas in sorted(bases.items())
    ]


def build(resource: Path, out: Path) -> None:
    """Write the table of verbs.

    Args:
        resource: The file `infl_lu.csv.gz` of LemmInflect.
        out: The file to write; it is replaced as a whole.

    Raises:
        InputError: LemmInflect's file cannot be read.
    """
    rows = verb_rows(read_forms(resource))
    out.parent.mkdir(parents=True, exist_ok=True)
    write_cells(out, [_HEADER, *rows])


def installed_resource() -> Path:
    """Find the inflected words of the installed LemmInflect.

    Returns:
        The path of `infl_lu.csv.gz`.

    Raises:
        InputError: LemmInflect is not installed.
    """
    spec = find_spec("lemminflect")
    if spec is None or spec.origin is None:
        raise InputError("LemmInflect is not installed; run: pip install lemminflect==0.2.3")
    return Path(spec.origin).parent / "resources" / "infl_lu.csv.gz"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script.

    Args:
        arguments: The command line's, without the program.
    """
    parser = argparse.ArgumentParser(description="Write the table of English verbs.")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    options = parser.parse_args(arguments)
    try:
        build(installed_resource(), options.out)
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
