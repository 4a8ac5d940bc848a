"""The page on the data that ship counts what the files hold."""

from pathlib import Path

import pandas as pd
import pytest

from fair_datasets.docs.site import FOLDER

PACKAGE = FOLDER.parent


def rows(path: str) -> pd.DataFrame:
    """Read a table of the package."""
    return pd.read_csv(PACKAGE / path, sep="\t", keep_default_na=False, dtype=str)


def forms(path: str, *, read: bool = False) -> dict[str, int]:
    """Count the forms of each attribute, or only those that are read."""
    table = rows(f"lexicons/data/{path}").drop(columns=["kind", "inflection"], errors="ignore")
    cells = {name: "|".join(column).split("|") for name, column in table.items()}
    return {
        str(name): sum(1 for form in found if form and not (read and "[target]" in form))
        for name, found in cells.items()
    }


def told() -> dict[str, list[str]]:
    """Return the sentences about each source that hold a count, as the files have it."""
    gender = forms("gender.tsv")
    exceptions = {
        path.name.split(".")[0]: len(rows(f"lexicons/data/{path.name}"))
        for path in Path(PACKAGE, "lexicons", "data").glob("*.exceptions.tsv")
    }
    first, last = (forms(f"race_{kind}names.tsv", read=True) for kind in ("first_", "sur"))
    read = [" | ".join(str(names[group]) for group in list(names)[:4]) for names in (first, last)]
    people, reviewed = (
        rows("lexicons/people/known_people.tsv"),
        rows("lexicons/people/reviewed.tsv"),
    )
    axes = {
        axis: forms(f"{axis}.tsv")
        for axis in ("race", "religion", "age", "orientation", "nationality", "disability")
    }
    return {
        "first_names": [
            f"{len(rows('lexicons/data/first_names.tsv')):,} pairs",
            f"lists {len(rows('lexicons/data/ambiguous_names.tsv'))} names",
        ],
        "race_names": [f"that are read | {counts} |" for counts in read],
        "gender_words": [
            f"{gender['man']} forms for men, {gender['woman']} for women and "
            f"{gender['non-binary']} for non-binary",
            f"by {forms('gender.tsv', read=True)['non-binary']} words",
            f"lists {exceptions['gender']} phrases",
        ],
        "group_words": [
            *(f"`{axis}.tsv` | {sum(found.values()):,} |" for axis, found in axes.items()),
            f"{sum(exceptions.values()) - exceptions['gender']:,} phrases",
            f"Christian {axes['religion']['christian']}, Sikh {axes['religion']['sikh']}",
        ],
        "known_people": [
            f"holds {len(people):,} names",
            f"{sum(people.source == 'Pantheon'):,} names are those of people",
            f"{sum(people.source == 'Pantheon, surname'):,} are surnames",
            f"{sum(people.source == 'BOLD'):,} names are titles",
            f"{sum(people.source == 'own'):,} names were added",
            f"{sum(reviewed.verdict == 'person')} names of people, "
            f"{sum(reviewed.verdict == 'no person')} page titles that are not names of people, and "
            f"{sum(reviewed.verdict == 'other sense')} names",
        ],
        "expectations": [
            f"holds {len(rows('reader/english/facts.tsv'))} entries",
            f"holds {len(rows('reader/english/ties.tsv')):,} entries",
        ],
        "models": [f"classes of {len(rows('reader/english/words.tsv')):,} words"],
    }


PAGE = " ".join((FOLDER / "sources.md").read_text("utf-8").split())


@pytest.mark.parametrize("sentences", told().values(), ids=told())
def test_counts_are_those_of_the_files(sentences: list[str]) -> None:
    """A list that grows or shrinks takes the page along."""
    for sentence in sentences:
        assert sentence in PAGE
