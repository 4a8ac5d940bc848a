"""The card of an augmented dataset."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from fair_datasets.cards.markdown import code, front_matter
from fair_datasets.cards.statements import (
    Configs,
    Measured,
    Sample,
    agreement,
    all_fell_back,
    as_configs,
    known_people,
)
from fair_datasets.cards.templates import rendered
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
    parameters = [each.get("parameters", {}) for each in configs]
    names = dict.fromkeys(name for each in parameters for name in external_names(each))
    rows = sum(each.rows_out for each in counts.values())
    logged = [each.logged for each in counts.values()]
    read = [(each.rows_in, each.left) for name, each in counts.items() if name not in unchanged]
    protects = any(each.get("protect") for each in parameters)
    return rendered(
        "dataset.md.jinja", title=title, source=strip_folders(source), configs=configs,
        matter=dataset_front_matter(title, metadata, rows),
        steps=", then ".join(code(str(each["technique"])) for each in configs),
        commands=[command] if isinstance(command, str) else command, reading=reading,
        versions=sorted({str(each["version"]) for each in configs if "version" in each}),
        allow=[name for name in names if not is_published(name)], classes=classes or {},
        unchanged=unchanged, parameters=parameters, counts=counts,
        sentences=[all_fell_back(logged), agreement(logged), known_people(read) * protects],
        roles=[role for each in parameters for role in each.get("roles") or ()],
        measured=measured, samples=samples, metadata=metadata,
    )  # fmt: skip


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
        pretty_name: twin
        language:
        - en
        size_categories:
        - 1K<n<10K
        license: mit
        tags:
        - fair_datasets
        - data-selection
        ---
    """
    known = {"language": ["en"], "size_categories": [size_category(rows)], **metadata}
    tags = ["fair_datasets", *tags, *(metadata.get("tags") or [])]
    return front_matter({"pretty_name": title, **known, "tags": list(dict.fromkeys(tags))})


def plain_card(
    title: str, source: str, metadata: Mapping[str, Any], command: str, *notes: str
) -> str:
    """Write the card of a dataset that was made by one command.

    Args:
        source: What it was made from, as the card names it.
        metadata: What the card takes over: the licence above all.

    Example:
        >>> card = plain_card("scored", "a.csv", {"license": "mit"}, "fair-datasets score a.csv")
        >>> 'license: mit' in card
        True
    """
    matter = {"pretty_name": title, **metadata, "tags": ["fair_datasets"]}
    return rendered(
        "plain.md.jinja", matter=matter, title=title, source=source, command=command, notes=notes,
        metadata=metadata,
    )  # fmt: skip
