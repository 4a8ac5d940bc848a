"""The card of an augmented dataset."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from fair_datasets.cards.markdown import (
    card_text,
    code,
    code_block,
    dataset_lines,
    escaped,
    front_matter,
    reproduce_lines,
    table,
)
from fair_datasets.cards.statements import (
    Configs,
    Measured,
    Sample,
    agreement,
    all_fell_back,
    as_configs,
    citation_lines,
    code_lines,
    family_lines,
    known_people,
    licence_lines,
    limit_lines,
    measured_lines,
    sample_lines,
    technique_lines,
)
from fair_datasets.system.checks import invalid
from fair_datasets.system.portable import external_names, is_published, portable, strip_folders


class SplitCounts(NamedTuple):
    """What happened to one split.

    Attributes:
        mentions_before: Attribute to its number of mentions before.
        mentions_after: The same afterwards.
        logged: Column to the values that the technique wrote there, each with its number of rows.
        left: Why a swap left rows alone as a whole, each reason with its number of rows.
    """

    rows_in: int
    rows_out: int
    rows_changed: int
    mentions_before: Mapping[str, int]
    mentions_after: Mapping[str, int]
    logged: Mapping[str, Mapping[str, int]] = MappingProxyType({})
    left: Mapping[str, int] = MappingProxyType({})


def dataset_card(
    *,
    title: str,
    source: str,
    config: Mapping[str, Any] | Configs,
    counts: Mapping[str, SplitCounts],
    command: str | Sequence[str],
    reading: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
    measured: Sequence[Measured] = (),
    samples: Sequence[Sample] = (),
    classes: Mapping[str, str] | None = None,
    unchanged: Sequence[str] = (),
) -> str:
    """Write the card of an augmented dataset.

    It says how to load the dataset by its title; `push_dataset` writes there how to load it from
    the Hub. Of files that lie elsewhere than below the working folder it names the last part of
    the path alone.

    Args:
        config: The technique's `config()`, or those of several techniques in order.
        command: The command that makes it again, or several in order; none where it was made in
            Python.
        reading: The lines of Python that read `dataset`, what it was made from, as the card is
            to repeat them.
        metadata: What else the Hub is to read: the licence of the source above all, as
            `carried_over` chooses it from the source's card, and `source_datasets`.
        measured: Measures of fairness before and after, where they were taken.
        samples: A few texts with their edits. They are published with the card.
        classes: Those of the techniques that no package registers, each to its module.
        unchanged: The splits that go along as they are.

    Returns:
        The Markdown text, front matter included.

    Raises:
        InputError: There is no configuration of a technique.

    Example:
        >>> counts = SplitCounts(2, 3, 1, {"man": 1, "woman": 0}, {"man": 1, "woman": 1})
        >>> card = dataset_card(title="twin", source="reviews.csv", counts={"train": counts},
        ...     config={"technique": "CounterfactualSwap"}, command="fair-datasets augment ...")
        >>> "| train | 2 | 3 | 1 |" in card
        True
    """
    configs, metadata = [portable(each) for each in as_configs(config)], dict(metadata or {})
    if not configs:
        raise invalid("config must hold the configuration of a technique.")
    parts = {
        "Techniques": technique_lines(configs),
        "How to make it again, and how to undo it": _way_lines(
            configs, command, reading, classes or {}, unchanged
        ),
        "Counts": [*_count_lines(counts, configs, unchanged), *_left_lines(unchanged)],
        "Measured fairness": measured_lines(measured),
        "Sample edits": sample_lines(samples),
        "Limits, and what not to conclude": limit_lines(configs),
        "Citation": citation_lines(configs),
    }
    steps = ", then ".join(code(str(config["technique"])) for config in configs)
    lines = [
        *dataset_lines(title),
        "",
        f"Made from {code(strip_folders(source))} by {steps} of the Python package "
        "`fair-datasets`.",
        *family_lines(configs),
        *code_lines(classes or {}),
        *licence_lines(metadata, kind="dataset"),
    ]
    matter = dataset_front_matter(title, metadata, sum(each.rows_out for each in counts.values()))
    return card_text(matter, title, lines, parts)


def size_category(rows: int) -> str:
    """Return the size of a dataset as the Hub's filter names it.

    Example:
        >>> size_category(999), size_category(1_000), size_category(2_500_000)
        ('n<1K', '1K<n<10K', '1M<n<10M')
    """
    bounds = [f"{n}{unit}" for unit in "KMB" for n in (1, 10, 100)] + ["1T"]
    place = len(str(rows)) - 3
    if place <= 0:
        return "n<1K"
    return f"{bounds[place - 1]}<n<{bounds[place]}" if place < len(bounds) else "n>1T"


def dataset_front_matter(
    title: str,
    metadata: Mapping[str, Any],
    rows: int,
    tags: Sequence[str] = ("counterfactual-data-augmentation",),
) -> str:
    """Write the metadata of a dataset that the Hub reads.

    The names of the files tell `load_dataset` the splits. `configs` here would make it take two
    folders of the same name for one, and return from its cache what lay in the other; the Hub's
    card gets them when the dataset is pushed.

    Returns:
        The front matter. The language is English, which is what is rewritten, unless the
        metadata say otherwise.

    Example:
        >>> print(dataset_front_matter("twin", {"license": "mit"}, 1_200, ["data-selection"]))
        ---
        pretty_name: "twin"
        language: ["en"]
        size_categories: ["1K<n<10K"]
        license: "mit"
        tags: ["fair_datasets", "data-selection"]
        ---
    """
    known = {"language": ["en"], "size_categories": [size_category(rows)], **metadata}
    tags = ["fair_datasets", *tags, *(metadata.get("tags") or [])]
    return front_matter({"pretty_name": title, **known, "tags": list(dict.fromkeys(tags))})


def _way_lines(
    configs: Configs,
    command: str | Sequence[str],
    reading: Sequence[str],
    classes: Mapping[str, str],
    unchanged: Sequence[str],
) -> list[str]:
    """Write how to repeat what was done, and how to undo it."""
    commands = [command] if isinstance(command, str) else command
    versions = sorted({str(config["version"]) for config in configs if "version" in config})
    with_version = f" (version {escaped(', '.join(versions))})" if versions else ""
    names = [name for config in configs for name in external_names(config.get("parameters", {}))]
    allow = [name for name in dict.fromkeys(names) if not is_published(name)]
    shell = []
    if commands:
        shell = [
            "In a shell, where the working folder holds the files that it names:",
            "",
            *code_block(commands, "sh"),
            "",
        ]
    lines = [
        *shell,
        f"{'Or in' if commands else 'In'} Python, where `fair-datasets`{with_version} is installed "
        "and the working folder holds this card with what is published beside it (`fair-datasets "
        "pull` gets both from the Hub); a file that is not the same is refused:",
        "",
        *code_block(reproduce_lines(reading, allow, classes, unchanged), "python"),
        "",
    ]
    if any(config.get("parameters", {}).get("provenance") for config in configs):
        return [
            *lines,
            "The columns `counterfactual` and `edits` say what was changed: "
            "`fair_datasets.swap.undo(text, edits)` gives back the text before.",
        ]
    if any(config.get("parameters", {}).get("mode") == "pair" for config in configs):
        return [*lines, "Each row keeps its texts; their counterfactuals stand beside them."]
    return [
        *lines,
        "The rows do not say what was changed in them. To undo it, go back to the source, or make "
        "the dataset again with `provenance=True`.",
    ]


def _left_lines(unchanged: Sequence[str]) -> list[str]:
    """Return which splits were not rewritten."""
    if not unchanged:
        return []
    named = ", ".join(map(code, unchanged))
    return ["", f"Not rewritten, and the same as in the source: {named}."]


def _count_lines(
    counts: Mapping[str, SplitCounts], configs: Configs, as_they_are: Sequence[str]
) -> list[str]:
    """Write the tables of rows and of mentions."""
    roles = [role for each in configs for role in each.get("parameters", {}).get("roles") or ()]
    tables = {
        ("rows before", "rows after", "rows rewritten"): lambda c: [
            (c.rows_in, c.rows_out, c.rows_changed)
        ],
        ("column", "value", "rows"): lambda c: (
            (column, *each) for column, values in c.logged.items() for each in values.items()
        ),
        ("left as a whole, as", "rows"): lambda c: c.left.items(),
        ("mentions of", "before", "after"): lambda c: (
            (attribute, before, c.mentions_after[attribute])
            for attribute, before in c.mentions_before.items()
        ),
    }
    *parts, mentions = (_of_splits(header, counts, cells) for header, cells in tables.items())
    sentences = [tell(c.logged for c in counts.values()) for tell in (all_fell_back, agreement)]
    if any(each.get("parameters", {}).get("protect") for each in configs):
        read = [(c.rows_in, c.left) for name, c in counts.items() if name not in as_they_are]
        sentences.append(known_people(read))
    parts += [[escaped(sentence)] for sentence in sentences if sentence]
    if mentions:
        note = (
            "A mention is a word of the lexicon, or a name, that is read as naming the attribute; "
            "neutral words such as *they* or *parent* are not counted."
        )
        note += f" Only the texts of {', '.join(map(code, roles))} are counted." if roles else ""
        parts += [mentions, [note]]
    return [line for part in parts if part for line in ("", *part)][1:]


def _of_splits(
    header: Sequence[str],
    counts: Mapping[str, SplitCounts],
    cells: Callable[[SplitCounts], Iterable[Sequence[Any]]],
) -> list[str]:
    """Write a table of all splits, if there are rows for it."""
    rows = [
        [escaped(split), *(escaped(str(cell)) for cell in row)]
        for split, each in counts.items()
        for row in cells(each)
    ]
    return table(["split", *header], rows) if rows else []


def plain_card(
    title: str, source: str, metadata: Mapping[str, Any], command: str, *notes: str
) -> str:
    """Write the card of a dataset that was made by one command.

    Args:
        source: What it was made from, as the card names it.
        metadata: What the card takes over: the licence above all.

    Example:
        >>> card = plain_card("scored", "a.csv", {"license": "mit"}, "fair-datasets score a.csv")
        >>> 'license: "mit"' in card
        True
    """
    lines = [
        front_matter({"pretty_name": title, **metadata, "tags": ["fair_datasets"]}), "",
        f"# {escaped(title)}", "", *dataset_lines(title), "",
        f"Made from {code(source)} by the Python package `fair-datasets`:", "",
        *code_block([command], "sh"), "", *(line for note in notes for line in (note, "")),
        *licence_lines(metadata, kind="dataset"),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"
