"""The documentation as a site: the pages that travel with the package, and the reference.

    python -m fair_datasets.docs.build --site DIR

It needs the extra `docs`. The site asks for nothing outside of itself, and holds each page twice:
as `PAGE.html`, and as `PAGE.md` for programs, which begin with `llms.txt` or `SKILL.md`. The
reference has a page for each module with public names, each measure, and the commands, made from
docstrings, cards and help.
"""

import inspect
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.metadata import entry_points
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType
from typing import Any, NamedTuple

import click

from fair_datasets.cards.markdown import split_card, table
from fair_datasets.cli.commands import Commands, Leaf
from fair_datasets.cli.main import commands
from fair_datasets.docs.addresses import ADDRESSES, outward
from fair_datasets.measures.load import available_metrics, metrics_folder
from fair_datasets.system import checks
from fair_datasets.technique.contract import ENTRY_POINT_GROUP
from fair_datasets.version import __version__

MODULES = {
    "fair_datasets": "Every technique, and what most people need besides.",
    "fair_datasets.selection": "Which rows to keep. See [diet](diet.md) and [bias](bias.md).",
    "fair_datasets.swap": "What belongs to a swap: counts, controls, checks, and how to undo it.",
    "fair_datasets.rewriters": "Training rewriters. See [MBCDA](mbcda.md).",
    "fair_datasets.scores": "Training the models that score rows. See [diet](diet.md).",
    "fair_datasets.models": "Word vectors and directions. See [bias](bias.md).",
    "fair_datasets.evaluation": "Comparing rewriters and corpora; sentences with identity phrases.",
    "fair_datasets.measures": "Every measure as a function of arrays. See [measures](measures.md).",
    "fair_datasets.auditing": "What an audit says. See [audit](audit.md).",
    "fair_datasets.hub": "Publishing and pulling. See [the Hub](hub.md).",
    "fair_datasets.lexicons": "The word lists. See [your own words](lexicons.md).",
    "fair_datasets.reader": "Tags for words. See [the reader](reader.md).",
    "fair_datasets.cards": "What the card of a dataset or a model says.",
    "fair_datasets.cards.report": "Tables as text, and pictures.",
    "fair_datasets.rows": "The texts in rows.",
    "fair_datasets.technique": "What every technique extends. See [techniques](techniques.md).",
    "fair_datasets.testing": "Writing a technique. See [techniques](techniques.md).",
    "fair_datasets.swap.rewriting": "Writing a rewriter. See [techniques](techniques.md).",
    "fair_datasets.swap.verification": "Whether a rewrite says the same about somebody else.",
    "fair_datasets.selection.diet": "The healthy data diet. See [diet](diet.md).",
    "fair_datasets.selection.correction": "Corrected corpora. See [bias](bias.md).",
    "fair_datasets.rewriters.mbcda": "Training a rewriter. See [MBCDA](mbcda.md).",
    "fair_datasets.rewriters.fairflow": "A lexicon from two words. See [FairFlow](mbcda.md).",
    "fair_datasets.evaluation.counterfactuals": "Comparing rewriters and corpora.",
}
_CONSTANTS = {
    "__version__": "The version of the package.",
    "ABLATIONS": "The six systems of the paper: what their generators are trained on.",
    "CAREERS": "An association test: women and men, and careers that people expect of them.",
    "MEASURES": "Each measure of an audit, with its meaning.",
    "PLEASANTNESS": "An association test: women and men, and pleasant and unpleasant words.",
    "VARIANTS": "The variants of FairFlow: which words are swapped, and if swaps are corrected.",
}
_START = """\
# Public names

All public names (Python, techniques, measures, commands), each with a line that describes it.

`help(NAME)` in Python and `fair-datasets COMMAND --help` in a shell tell you more.
You may rely on these names. Any other name may change without notice, even if a page uses it: for
example, the kinds of `InputError`, and the adapters in `fair_datasets.integrations`. This page is
made by `python -m fair_datasets.docs.build`.
"""
_TECHNIQUES = f"""\
`load_technique` rebuilds each technique by its name in a configuration. Register your own under the
entry-point group `{ENTRY_POINT_GROUP}`."""
_METRICS = """\
`load_metric` loads each measure as a module of `evaluate`. `metrics/NAME/README.md` says how it is
computed and what it cannot show."""
_DEFAULTS = """\
The default values of settings that are numbers; the changelog says when one changes. `help(NAME)`
explains each setting, also those that are not numbers."""
_SPACY = """\
| name | what it is |
|---|---|
| `fair_datasets_terms` | A component that marks the terms of an axis on a `Doc`. |"""


def names_page() -> str:
    """Write the page.

    Example:
        >>> names_page().splitlines()[0]
        '# Public names'
    """
    sections = [_START]
    for module, sentence in MODULES.items():
        sections += [f"## `{module}`", sentence, _table("name", _names(module))]
    techniques = ((point.name, first_line(point.load())) for point in _techniques())
    sections += ["## Techniques", _TECHNIQUES, _table("technique", techniques)]
    sections += ["## Measures as modules", _METRICS, _table("module", _metrics())]
    sections += ["## Commands", "In a shell, each after `fair-datasets`. See [shell](shell.md)."]
    listed = ((words, f"{line}.") for words, line, _ in commands_of(commands()))
    sections += [_table("command", listed)]
    sections += ["## In spaCy", _SPACY]
    sections += ["## Numbers by default", _DEFAULTS, _table("name", _defaults(), "numbers")]
    return "\n\n".join(section.strip() for section in sections) + "\n"


def _table(kind: str, lines: Iterable[tuple[str, str]], heading: str = "what it is") -> str:
    cells = ((f"`{name}`", line.replace("|", "\\|")) for name, line in lines)
    return "\n".join(table([kind, heading], cells))


def _names(module: str) -> Iterator[tuple[str, str]]:
    """Give the public names of a module, each with the first line of its docstring."""
    home = import_module(module)
    for name in sorted(home.__all__, key=str.lower):
        value = getattr(home, name)
        yield name, _CONSTANTS.get(name) or first_line(value)


def _defaults() -> Iterator[tuple[str, str]]:
    """Give the public names that have numbers as defaults, each with these."""
    homes = map(import_module, MODULES)
    values = {name: getattr(home, name) for home in homes for name in home.__all__}
    for name, value in sorted(values.items(), key=lambda each: each[0].lower()):
        if inspect.isroutine(value) or (isinstance(value, type) and is_dataclass(value)):
            given = inspect.signature(value).parameters.values()
            numbers = [
                f"`{each.name}={each.default}`" for each in given if _is_number(each.default)
            ]
            if numbers:
                yield name, ", ".join(numbers)


def _is_number(value: Any) -> bool:
    """Whether a value is a number or several; NaN stands for a value that is not there."""
    if isinstance(value, tuple):
        return any(map(_is_number, value))
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _techniques() -> list[Any]:
    """Return the entry points of the package's own techniques."""
    points = entry_points(group=ENTRY_POINT_GROUP)
    ours = (point for point in points if point.value.startswith("fair_datasets."))
    return sorted(ours, key=lambda point: point.name.lower())


def _metrics() -> Iterator[tuple[str, str]]:
    """Give the measures that are modules, each with the description on its card."""
    import yaml

    for name, metadata, _ in metric_cards():
        yield name, " ".join(yaml.safe_load(metadata)["description"].split())


def metric_cards() -> Iterator[tuple[str, str, str]]:
    """Give the measures that are modules, each with the metadata and the text of its card."""
    for name in available_metrics():
        yield name, *split_card((metrics_folder() / name / "README.md").read_text("utf-8"))


def commands_of(group: Commands, before: str = "") -> Iterator[tuple[str, str, click.Context]]:
    """Give words, summary and context of each command; those of a command stand behind it."""
    context = click.Context(group, info_name=f"fair-datasets {before}".strip())
    for name in group.list_commands(context):
        inner = group.get_command(context, name)
        if inner is not None:
            yield f"{before}{name}", group.summary(name), click.Context(inner, context, name)
        if isinstance(inner, Commands):
            yield from commands_of(inner, f"{before}{name} ")


def first_line(value: Any) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(value) or "").partition("\n")[0]


FOLDER = Path(__file__).parent
_LIST = "README.md"
_PART = re.compile(r"^## (.+)$", re.MULTILINE)
_ROW = re.compile(r"^\| \[([\w.]+)\]\(([\w.]+)\.md\) \| (.+) \|$", re.MULTILINE)
_TITLE = "fair_datasets"
_PURPOSE = (
    "Counterfactual augmentation and fairness measures for text, native to Hugging Face Datasets."
)
_FRONT = f"""\
# {_TITLE}

Is my data fair, and how do I make it fairer? `fair_datasets` rewrites texts so that they speak of
other people, counts whom a dataset mentions, and measures how a model treats groups. It works with
[Hugging Face Datasets](https://huggingface.co/docs/datasets), on a laptop, without a GPU.

![Comments before and after the swap, and how often they mention each gender](picture.svg)

New here? [Install it](install.md), then follow [the first tutorial](tutorial.md).
"""
_SKILL = """\
---
name: fair-datasets
description: Augment text datasets with counterfactuals, audit datasets for bias, and measure how \
models treat groups, with the Python package fair_datasets and the command fair-datasets.
---

# fair_datasets

Use this skill when somebody wants to know whom a text dataset mentions, to make a text dataset
fairer, or to measure how a model treats groups.

1. Look: `fair-datasets audit FILE --text COLUMN --label COLUMN --out FOLDER`.
2. Try: `fair-datasets augment FILE --text COLUMN --axis gender --dry-run` prints rewritten rows.
   Show some to the user before you write anything.
3. Write: the same with `--out FOLDER`.
4. Split by `family_id` with `fair_datasets.selection.pair_split`, never at random: a row and its
   counterfactual belong in one split.
5. Train, and measure on rows that were never rewritten: `fair-datasets measure --help`.

The rewriting is for English. Read `limits.md` before you claim anything: equal counts are not
fairness, and a measure says nothing of groups that were not measured.

An error is one sentence that says what to do: `errors.md`. A row that was left alone has a reason:
`reasons.md`. Offline, `fair-datasets docs` lists these pages, and `fair-datasets docs PAGE` prints
one.

"""


class Part(NamedTuple):
    """A part of the documentation.

    Attributes:
        pages: The name of each page, without an ending, to its first sentence.
    """

    title: str
    pages: Mapping[str, str]


def parts() -> list[Part]:
    """Read the parts of the documentation from its list of pages."""
    _, *pieces = _PART.split((FOLDER / _LIST).read_text("utf-8"))
    return [
        Part(title, {page: summary for page, _, summary in _ROW.findall(rows)})
        for title, rows in zip(pieces[::2], pieces[1::2], strict=True)
    ]


def write_site(folder: Path) -> None:
    """Write the site.

    Args:
        folder: Where to; what an earlier site left there is replaced file by file.
    """
    checks.require("docs", owner="docs.build --site")
    with TemporaryDirectory() as temporary:
        source = Path(temporary)
        listed = list(_write_sources(source))
        _build(source, folder)
        for page in source.iterdir():
            shutil.copyfile(page, folder / page.name)
    for name, text in reference_pages().items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    machine = "\n\n".join(map(_list_of, listed)) + "\n"
    (folder / "llms.txt").write_text(f"# {_TITLE}\n\n> {_PURPOSE}\n\n{machine}\n", "utf-8")
    (folder / "SKILL.md").write_text(f"{_SKILL}{machine}\n", "utf-8")


def _write_sources(source: Path) -> Iterator[Part]:
    """Write the pages that the site is made of, and give its parts with those that are made."""
    for path in FOLDER.iterdir():
        if path.suffix in {".svg", ".png", ".ipynb"}:
            shutil.copyfile(path, source / path.name)
        elif path.suffix == ".md" and path.name != _LIST:
            (source / path.name).write_text(outward(path.read_text("utf-8"), "../../"), "utf-8")
    *others, last = parts()
    made = reference_pages(_directive)
    for name, text in made.items():
        (source / f"{name}.md").write_text(text, "utf-8")
    sentences = {name: text.split("\n\n")[1].replace("\n", " ") for name, text in made.items()}
    front = [_FRONT]
    for part in (*others, Part(last.title, {**last.pages, **sentences})):
        yield part
        names = "\n".join(part.pages)
        front += [_list_of(part)]
        front += [f"```{{toctree}}\n:hidden:\n:caption: {part.title}\n\n{names}\n```"]
    (source / "index.md").write_text("\n\n".join(front) + "\n", "utf-8")


def _list_of(part: Part) -> str:
    """List the pages of a part, as https://llmstxt.org has them."""
    rows = "\n".join(f"- [{name}]({name}.md): {summary}" for name, summary in part.pages.items())
    return f"## {part.title}\n\n{rows}"


def _build(source: Path, folder: Path) -> None:
    """Make HTML of the pages; whatever Sphinx warns of is an error."""
    from sphinx.application import Sphinx

    settings: dict[str, Any] = {
        "project": _TITLE,
        "release": __version__,
        "extensions": ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", __name__],
        # Docstrings have code in single backticks, and the section Source.
        "default_role": "code",
        "napoleon_custom_sections": ["Source"],
        "napoleon_use_ivar": True,
        "napoleon_attr_annotations": False,
        "autodoc_default_options": {"members": True, "show-inheritance": True},
        "autodoc_typehints_format": "short",
        "python_maximum_signature_line_length": _WIDTH,
        "html_theme": "furo",
        "html_title": f"{_TITLE} {__version__}",
        "html_baseurl": ADDRESSES["documentation"],
        "html_copy_source": False,
        "html_show_sphinx": False,
        "html_math_renderer": "mathml",
        "myst_enable_extensions": ["dollarmath"],
        "myst_heading_anchors": 3,
        "exclude_patterns": [],
        # Text without a language is only shown, and prompts are those of a shell or of Python.
        "highlight_language": "text",
        "suppress_warnings": ["misc.highlighting_failure"],
    }
    with TemporaryDirectory() as doctrees:
        arguments = (source, None, folder, doctrees, "html")
        log = StringIO()
        app = Sphinx(*arguments, settings, status=None, warning=log, warningiserror=True)
        app.build()
    if app.statuscode:
        raise RuntimeError(log.getvalue())


def setup(app: Any) -> None:
    """Let Sphinx write formulas as MathML, which browsers show without a script."""
    inline, block = (partial(_write_formula, as_block=as_block) for as_block in (False, True))
    app.add_html_math_renderer("mathml", (inline, None), (block, None))


def _write_formula(writer: Any, node: Any, *, as_block: bool) -> None:
    """Write a formula, in a line or by itself, and nothing more of it."""
    from docutils.nodes import SkipNode
    from docutils.utils.math.latex2mathml import tex2mathml

    writer.body.append(tex2mathml(node.astext(), as_block=as_block))
    raise SkipNode


def _directive(module: str, name: str, value: Any) -> str:
    """Have Sphinx describe a class or a function by its signature and docstring."""
    kind = "class" if inspect.isclass(value) else "function"
    return f"```{{eval-rst}}\n.. auto{kind}:: {module}.{name}\n```"


def _as_it_is(_: str, name: str, value: Any) -> str:
    """Write signature and docstring of a class or a function, and of its public methods."""
    shown = {name: value}
    for each in filter(lambda each: each[0] != "_", dir(value) if inspect.isclass(value) else ()):
        member = inspect.unwrap(inspect.getattr_static(value, each))
        home = getattr(member, "__module__", None) or "fair_datasets"  # properties have none
        if home.startswith("fair_datasets") and isinstance(
            member, FunctionType | property | cached_property
        ):
            shown[f"{name}.{each}"] = member
    return "\n\n".join(
        f"```python\n{called}{_call(each)}\n```\n\n{inspect.getdoc(each) or ''}"
        for called, each in shown.items()
    )


def _call(value: Any) -> str:
    """Write how something is called; nothing where it is not."""
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):  # properties have no signature, nor some exceptions
        return ""


_WIDTH = 88
_COMMANDS = """\
# Commands

Every command of the shell with all its options."""


def reference_pages(describe: Callable[[str, str, Any], str] = _as_it_is) -> dict[str, str]:
    """Make the pages.

    Args:
        describe: What describes a class or a function of a module.

    Returns:
        The name of each page, without an ending, to its Markdown: a title, a sentence, the rest.
    """
    homes = {
        id(getattr(import_module(module), name)): module
        for module in reversed(MODULES)
        for name in import_module(module).__all__
    }
    pages = {module: _module_page(module, homes, describe) for module in MODULES}
    for name, _, card in metric_cards():
        card = re.sub(r"\]\(\.\./(\w+)/README\.md", r"](measure_\1.md", card)
        title, _, rest = card.strip().partition("\n")
        sentence = f"The measure `{name}`, as a function and as a module of `evaluate`."
        pages[f"measure_{name}"] = f"{title}\n\n{sentence}\n{rest}\n"
    helps = (
        f"## {words}\n\n```text\n{_help(inner).strip()}\n```"
        for words, _, inner in commands_of(commands())
    )
    pages["commands"] = "\n\n".join([_COMMANDS, *helps]) + "\n"
    return pages


def _module_page(
    module: str, homes: Mapping[int, str], describe: Callable[[str, str, Any], str]
) -> str:
    """Describe the public names of a module; what is described elsewhere is only linked."""
    home = import_module(module)
    parts = [f"# {module}", MODULES[module]]
    # Names that differ by a capital alone, such as Audit, stand as in the module.
    for name in sorted(home.__all__, key=str.lower):
        if name == "__version__":
            continue
        value = getattr(home, name)
        parts.append(f"## `{name}`")
        if homes[id(value)] != module:
            page = homes[id(value)]
            parts.append(f"{first_line(value)} See [{page}]({page}.md#{name.lower()}).")
        elif isinstance(value, Mapping):
            parts.append("\n".join(f"- `{key}`: {summary}" for key, summary in value.items()))
        elif not callable(value):
            parts.append(f"```python\n{name} = {value!r}\n```")
        else:
            parts.append(describe(module, name, value))
    return "\n\n".join(parts) + "\n"


def _help(context: click.Context) -> str:
    """Write the help of a command, in lines that are as long on every terminal."""
    command = context.command
    context.terminal_width = _WIDTH
    return command.all_options(context) if isinstance(command, Leaf) else command.get_help(context)
