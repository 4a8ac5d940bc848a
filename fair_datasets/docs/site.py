"""The documentation as a site: the pages that travel with the package, and the reference.

    python -m fair_datasets.docs.build --site DIR

It needs the extra `docs`. The site asks for nothing outside of itself, and holds each page twice:
as `PAGE.html`, and as `PAGE.md` for programs, which begin with `llms.txt` or `SKILL.md`.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fair_datasets.docs.addresses import ADDRESSES, outward
from fair_datasets.docs.reference import reference_pages
from fair_datasets.system import extras
from fair_datasets.version import __version__

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
    """Read the parts of the documentation from its list of pages.

    Returns:
        The parts and their pages, in order.
    """
    _, *found = _PART.split((FOLDER / _LIST).read_text("utf-8"))
    return [
        Part(title, {page: told for page, _, told in _ROW.findall(rows)})
        for title, rows in zip(found[::2], found[1::2], strict=True)
    ]


def write_site(folder: Path) -> None:
    """Write the site.

    Args:
        folder: Where to; what an earlier site left there is replaced file by file.
    """
    extras.require("docs", owner="docs.build --site")
    with TemporaryDirectory() as temporary:
        source = Path(temporary)
        listed = list(_write_sources(source))
        _build(source, folder)
        for page in source.iterdir():
            shutil.copyfile(page, folder / page.name)
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
    made = reference_pages()
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
    rows = "\n".join(f"- [{name}]({name}.md): {told}" for name, told in part.pages.items())
    return f"## {part.title}\n\n{rows}"


def _build(source: Path, folder: Path) -> None:
    """Make HTML of the pages; whatever Sphinx warns of is an error."""
    from sphinx.application import Sphinx

    settings: dict[str, Any] = {
        "project": _TITLE,
        "release": __version__,
        "extensions": ["myst_parser", __name__],
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
        told = StringIO()
        app = Sphinx(*arguments, settings, status=None, warning=told, warningiserror=True)
        app.build()
    if app.statuscode:
        raise RuntimeError(told.getvalue())


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
