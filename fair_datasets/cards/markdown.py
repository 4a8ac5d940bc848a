"""Markdown in which text from the data stays text: no markup, HTML, YAML or link comes of it.

What is written into a card that exists leaves what others wrote in it. Pure functions.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.system.checks import InputError, one_line
from fair_datasets.system.files import indented

if TYPE_CHECKING:
    from yaml import Node


# Ends of lines that YAML folds, as it does the usual one, but PyYAML writes as they are.
_SEPARATORS = re.compile("[\x85\u2028\u2029]")
_MARKUP = r"\`*_{}[]()#|!~$"
# What would become a link without any bracket.
_LINKS = {"://": "&#58;//", "@": "&#64;", "www.": "www&#46;"}
_FENCE = re.compile(r"(`{3,})([^`]*)")
_FRONT_MATTER = re.compile(r"\A\ufeff?\s*---\n(.*?)^---[ ]*$\n?", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of code."""

    language: str
    code: str


def front_matter(metadata: Mapping[str, Any]) -> str:
    """Write the metadata that the Hub reads."""
    import yaml

    # As JSON would have them: of numbers and texts of other libraries, their values.
    text = json.dumps(dict(metadata), default=str, ensure_ascii=False)
    plain = json.loads(_SEPARATORS.sub(" ", text))
    written = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)
    return f"---\n{written}---"


def split_card(card: str) -> tuple[str, str]:
    r"""Take a card apart.

    Returns:
        The YAML between the `---` lines, empty where there are none, and the text below.
    """
    card = card.replace("\r\n", "\n")
    matched = _FRONT_MATTER.match(card)
    return (matched[1], card[matched.end() :]) if matched else ("", card)


def fenced_blocks(text: str) -> list[Block]:
    r"""Find the fenced blocks of code of a Markdown text.

    Returns:
        The blocks in order; a fence that stands in a longer one opens none.
    """
    blocks: list[Block] = []
    fence, language = "", ""
    lines: list[str] = []
    # Line by line: a pattern over the whole text would take hours for one of fences left open.
    for line in text.split("\n"):
        if not fence:
            if opening := _FENCE.fullmatch(line):
                fence, language, lines = opening[1], opening[2].strip(), []
        elif line.startswith(fence) and not line.strip("` "):
            blocks.append(Block(language, "\n".join(lines)))
            fence = ""
        else:
            lines.append(line)
    return blocks


def code_block(lines: Iterable[str], language: str) -> list[str]:
    """Write a block of code, whatever backticks the code contains.

    Args:
        lines: The lines of code; a line break within one becomes a space.

    Example:
        >>> code_block(["ls"], "sh")
        ['```sh', 'ls', '```']
    """
    code = [printable(line) for line in lines]
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in code))
    return [f"{fence}{language}", *code, fence]


def json_block(data: Any) -> list[str]:
    r"""Write a block of JSON, from which the data can be read back whatever they hold."""
    text = indented(data, ensure_ascii=False)
    # Control characters and halves of letters are written as JSON can.
    text = "".join(
        letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1]
        for letter in text
    )
    # What marks the sections of a card is no part of the data.
    return ["```json", *text.replace("<!--", "\\u003c!--").split("\n"), "```"]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Write a table."""
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    return [lines[0], "|" + "---|" * len(header), *lines[1:]]


def escaped(text: str) -> str:
    r"""Escape what Markdown and HTML would take for markup, and what would become a link."""
    text = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    text = "".join(f"\\{letter}" if letter in _MARKUP else letter for letter in text)
    for start, entity in _LINKS.items():
        text = text.replace(start, entity)
    return text


def code(text: str) -> str:
    """Write a text as inline code, whatever backticks it contains.

    Example:
        >>> print(code("a`b"), code("a`"))
        ``a`b`` `` a` ``
    """
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{printable(text)}{pad}{fence}"


def printable(text: str) -> str:
    r"""Replace line breaks and control characters, which would end a line or break YAML."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def escaped_rows(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Escape the names and the cells of a table."""
    return [{escaped(name): escaped(cell) for name, cell in row.items()} for row in rows]


def report_end(heading: str, notes: Sequence[str], command: str | None) -> list[str]:
    """Write the end of a report: under a heading what it lacks, and the command that makes it."""
    parts = [f"## {heading}", "\n".join(f"- {escaped(line)}" for line in notes)] if notes else []
    return parts + (["## Made by", "\n".join(code_block([command], "sh"))] if command else [])


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks in a text."""
    return max(map(len, re.findall("`+", text)), default=0)


PIPELINES = (
    "feature-extraction",
    "fill-mask",
    "text-classification",
    "text-generation",
    "token-classification",
    "zero-shot-classification",
)
_DATASET = re.compile(r"^dataset = load_dataset\(.*\)  # this dataset$", re.MULTILINE)
_MODEL = re.compile(
    r'^(model = pipeline\("[^"\n]*", model=|vectors = sentence_vectors\(texts, '
    r'|rewrite = ModelRewrite\(columns="text", control=".*", model=).*\)  # this model$',
    re.MULTILINE,
)
_REPRODUCE = re.compile(
    r'^for technique in reproduce\("README\.md"(?:, config_name="[^"\n]*")?', re.MULTILINE
)


def dataset_lines(name: str) -> list[str]:
    r"""Write how to load a dataset.

    Example:
        >>> print(*dataset_lines("ada/reviews"), sep="\n")
        ```python
        from datasets import load_dataset
        <BLANKLINE>
        dataset = load_dataset("ada/reviews")  # this dataset
        ```
    """
    call = _load_dataset(name, None, None)
    return code_block(["from datasets import load_dataset", "", call], "python")


def rewriter_lines(name: str, control: str) -> list[str]:
    """Write how to rewrite a dataset by a model that writes.

    Example:
        >>> rewriter_lines("ada/fair", "plain")[3]
        'rewrite = ModelRewrite(columns="text", control="plain", model="ada/fair")  # this model'
    """
    call = f'rewrite = ModelRewrite(columns="text", control={quoted(control)}, '
    lines = [
        "from fair_datasets import ModelRewrite",
        "",
        f"{call}model={quoted(name)})  # this model",
        "dataset = rewrite.apply(dataset)",
    ]
    return code_block(lines, "python")


def addressed_dataset(card: str, name: str, config_name: str, revision: str | None = None) -> str:
    """Write anew how a dataset is loaded, and its techniques, where a card states it."""
    call = _load_dataset(name, None if config_name == "default" else config_name, revision)
    card = _DATASET.sub(lambda _: call, card)
    # A later configuration of the repository must not make the call ambiguous.
    named = f'for technique in reproduce("README.md", config_name={quoted(config_name)}'
    return _REPRODUCE.sub(lambda _: named, card)


def addressed_model(card: str, name: str) -> str:
    """Write anew how a model is loaded, where a card states it.

    Example:
        >>> card = 'model = pipeline("fill-mask", model="out")  # this model'
        >>> print(addressed_model(card, "ada/fair"))
        model = pipeline("fill-mask", model="ada/fair")  # this model
    """
    return _MODEL.sub(lambda matched: f"{matched[1]}{quoted(name)})  # this model", card)


def _load_dataset(name: str, config_name: str | None, revision: str | None) -> str:
    """Write the call that loads a dataset."""
    arguments = [quoted(name)]
    arguments += [] if config_name is None else [quoted(config_name)]
    arguments += [] if revision is None else [f"revision={quoted(revision)}"]
    return f"dataset = load_dataset({', '.join(arguments)})  # this dataset"


def allowed(names: Sequence[str]) -> str:
    """Write the argument of the files that a card may read; nothing where there are none."""
    return f", allow=[{', '.join(map(quoted, names))}]" if names else ""


def quoted(text: str) -> str:
    """Write a string as Python and JSON do."""
    return json.dumps(text, ensure_ascii=False)


TAG = "fair_datasets"

# What makes a Space run has to fit the files that are sent with it.
_REPLACED = ("app_file", "python_version", "sdk", "sdk_version")
# datasets writes these itself, from the data.
_OF_DATASETS = ("configs", "dataset_info")
_MARKER = "<!-- fair_datasets:"


def merge_card(existing: str, new: str, section: str, *, united: Collection[str] = ()) -> str:
    r"""Put a card into the card that is there.

    The text stands between two comments, which Markdown does not show; what stands outside them is
    kept as it is, and so are the sections of other names. In the metadata, what is there is kept,
    lists are united, and missing keys are added; only what makes a Space run is replaced, and the
    results of a model that has the same name.

    Args:
        united: The keys whose single values are put into a list where they differ: what holds for
            the parts of a repository, such as the licences of a dataset's configurations.
    """
    old_data, old_text = card_parts(existing)
    new_data, new_text = card_parts(new)
    tags = [*(tag for tag in new_data.get("tags") or [] if tag != TAG), TAG]
    data = _merged_metadata(old_data, {**new_data, "tags": tags}, united)
    text = _with_section(old_text, new_text, section) if new_text.strip() else old_text
    return card_of(data, text)


def has_tag(card: str) -> bool:
    r"""Whether a card says that its repository was written by this package."""
    return TAG in (card_parts(card)[0].get("tags") or [])


def card_parts(card: str) -> tuple[dict[str, Any], str]:
    r"""Split a card into its metadata and its text."""
    from huggingface_hub import RepoCard

    card = card.removeprefix("\ufeff")
    if not re.match(r"\s*---\s*\n", card):
        return {}, card
    try:
        refuse_expansion(split_card(card)[0])
        parsed = RepoCard(card, ignore_metadata_errors=True)
    except Exception as error:
        # Not a mapping, or one of the many errors of YAML.
        raise InputError(
            f"The metadata at the top of the card cannot be read: {one_line(error)}."
        ) from error
    return dict(vars(parsed.data)), parsed.text


def card_of(metadata: Mapping[str, Any], text: str) -> str:
    r"""Put a card together, as the counterpart of `card_parts`."""
    return f"{front_matter(metadata)}\n{text}" if metadata else text


def _merged_metadata(
    old: Mapping[str, Any], new: Mapping[str, Any], united: Collection[str]
) -> dict[str, Any]:
    """Add what is missing to the metadata that are there."""
    merged = dict(old)
    for key, value in new.items():
        known = merged.get(key)
        if key in _OF_DATASETS:
            continue
        if known is None or key in _REPLACED:
            merged[key] = value
        elif key == "model-index":
            names = {entry.get("name") for entry in value}
            merged[key] = [*(entry for entry in known if entry.get("name") not in names), *value]
        elif key in united or isinstance(known, list) or isinstance(value, list):
            listed = known if isinstance(known, list) else [known]
            wanted = value if isinstance(value, list) else [value]
            added = [item for item in wanted if item not in listed]
            merged[key] = [*listed, *added] if added else known
    return merged


def _with_section(text: str, section_text: str, section: str) -> str:
    """Replace a section of a text, or append it."""
    begin, end = (f"{_MARKER} {edge} {section} -->" for edge in ("begin", "end"))
    # Where an end was deleted by hand, the begin is followed by text that is not ours.
    # The comments are lines of their own: within a line, they are text from the data.
    known = re.compile(
        rf"^{re.escape(begin)}((?:(?!{_MARKER}).)*)^{re.escape(end)}(?=\s*$)",
        re.DOTALL | re.MULTILINE,
    )
    # The new text may be a copy of the whole card, as a pulled folder holds it.
    copied = known.search(section_text)
    inside = copied[1] if copied else section_text
    # A section that held a marker itself would be cut there the next time.
    inside = inside.strip("\n").replace(_MARKER, _MARKER.replace(":", "."))
    block = f"{begin}\n{inside}\n{end}"
    if match := known.search(text):
        return text[: match.start()] + block + text[match.end() :]
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{block}\n"


MOST = 1_000_000
"""How many values the metadata of a card may stand for; the largest real ones have thousands."""


def refuse_expansion(text: str, most: int = MOST) -> None:
    r"""Raise if YAML stands for more values than anyone could mean to write.

    A few lines can name a list of ten names of lists of ten names, ten levels deep. Reading them,
    or what is done with them afterwards, would never end.

    Example:
        >>> bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"
        >>> refuse_expansion(bomb, most=29)
        >>> refuse_expansion(bomb, most=28)
        Traceback (most recent call last):
        ...
        ValueError: it stands for more than 28 values, by names (YAML aliases) that stand for others
    """
    import yaml

    # Without both signs, no name stands for anything.
    if "&" not in text or "*" not in text:
        return
    # Not the faster one in C, which what is nested deeply takes down with the whole process.
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None and _size(root, {}, most) > most:
        raise ValueError(
            f"it stands for more than {most} values, by names (YAML aliases) that stand for others"
        )


def _size(node: "Node", sizes: dict[int, int], most: int) -> int:
    """Count what a node stands for; a node that several names stand for is looked at once."""
    if (known := sizes.get(id(node))) is not None:
        return known
    # While it is looked at, a node that holds itself is too large.
    sizes[id(node)] = most + 1
    value = node.value
    if isinstance(value, str):
        inside = []
    else:
        inside = [part for item in value for part in (item if isinstance(item, tuple) else [item])]
    sizes[id(node)] = 1 + sum(_size(part, sizes, most) for part in inside)
    return sizes[id(node)]
