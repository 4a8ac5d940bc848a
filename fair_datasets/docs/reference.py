"""The reference: a page for each module with public names, each measure, and the commands.

The pages are made from docstrings, cards and help when the site is made, so none is kept.
"""

import argparse
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from fair_datasets.cli.main import command_parser
from fair_datasets.docs.names import MODULES, commands_of, first_line, metric_cards

_SECTION = re.compile(r"^([A-Z]\w+):$", re.MULTILINE)
_ENTRY = re.compile(r"^(\S[^:\n]*): ", re.MULTILINE)
_WIDTH = 88
_COMMANDS = """\
# Commands

Every command of the shell with all its options."""


def reference_pages() -> dict[str, str]:
    """Make the pages.

    Returns:
        The name of each page, without an ending, to its Markdown: a title, a sentence, the rest.
    """
    homes = {
        id(getattr(import_module(module), name)): module
        for module in reversed(MODULES)
        for name in import_module(module).__all__
    }
    pages = {module: _module_page(module, homes) for module in MODULES}
    for name, _, card in metric_cards():
        card = re.sub(r"\]\(\.\./(\w+)/README\.md", r"](measure_\1.md", card)
        title, _, rest = card.strip().partition("\n")
        told = f"The measure `{name}`, as a function and as a module of `evaluate`."
        pages[f"measure_{name}"] = f"{title}\n\n{told}\n{rest}\n"
    commands = (
        f"## {words}\n\n```text\n{_help(inner).strip()}\n```"
        for words, _, inner in commands_of(command_parser())
    )
    pages["commands"] = "\n\n".join([_COMMANDS, *commands]) + "\n"
    return pages


def _module_page(module: str, homes: Mapping[int, str]) -> str:
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
            parts.append("\n".join(f"- `{key}`: {told}" for key, told in value.items()))
        elif not callable(value):
            parts.append(f"```python\n{name} = {value!r}\n```")
        else:
            parts += [_signature(name, value), *_sections(inspect.getdoc(value) or "")]
            parts += _methods(value) if inspect.isclass(value) else []
    return "\n\n".join(part for part in parts if part) + "\n"


def _signature(name: str, value: Any) -> str:
    """Write how something is called: in one line, or with a line for each parameter."""
    word = "class" if inspect.isclass(value) else "def"
    try:
        signature = inspect.signature(value)
    except ValueError:  # some exceptions and enumerations have none
        return f"```python\n{word} {name}\n```"
    returned = "" if word == "class" else f" -> {_annotation(signature.return_annotation)}"
    parameters = list(_parameters(signature))
    text = f"({', '.join(parameters)})"
    if len(name + text + returned) > _WIDTH:
        text = "".join(["(\n", *(f"    {each},\n" for each in parameters), ")"])
    return f"```python\n{word} {name}{text}{returned}\n```"


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    """Give each parameter as it is written, with the star that those behind it need."""
    is_starred = False
    for each in signature.parameters.values():
        if each.kind is each.VAR_POSITIONAL:
            is_starred = True
        elif each.kind is each.KEYWORD_ONLY and not is_starred:
            is_starred = True
            yield "*"
        stars = "*" * (each.kind is each.VAR_POSITIONAL) + "**" * (each.kind is each.VAR_KEYWORD)
        typed = "" if each.annotation is each.empty else f": {_annotation(each.annotation)}"
        given = "" if each.default is each.empty else f" = {_default(each.default)}"
        yield f"{stars}{each.name}{typed}{given}"


def _annotation(annotation: Any) -> str:
    """Write a type without the modules that it comes from."""
    if annotation is inspect.Signature.empty:
        return "None"
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", text.replace("ForwardRef", "").replace("'", ""))


def _default(value: Any) -> str:
    """Write a default; what has no short text of its own is named by its type."""
    text = repr(value)
    return "..." if text.startswith("<") or len(text) > _WIDTH else text


def _methods(value: type) -> Iterator[str]:
    """Give the public methods and properties of a class of ours, each with its first line."""
    members = (
        (name, inspect.getattr_static(value, name), getattr(value, name))
        for name in dir(value)
        if not name.startswith("_")
    )
    lines = []
    for name, static, member in members:
        if not _is_ours(value, name) or not first_line(member):
            continue
        if isinstance(static, property | cached_property):
            lines.append(f"- `{name}`: {first_line(static)}")
        elif inspect.isroutine(member):
            given = [each for each in _parameters(inspect.signature(member)) if each != "self"]
            lines.append(f"- `{name}({', '.join(given)})`: {first_line(member)}")
    if lines:
        yield "**Methods**"
        yield "\n".join(lines)


def _is_ours(value: type, name: str) -> bool:
    """Tell whether a class of this package, and not one that it extends, defines a member."""
    owner = next(each for each in value.__mro__ if name in each.__dict__)
    return owner.__module__.startswith("fair_datasets")


def _sections(docstring: str) -> Iterator[str]:
    """Write a docstring as Markdown: lists of what is named, and its examples as code."""
    told, *rest = _SECTION.split(docstring)
    yield told.strip()
    for title, text in zip(rest[::2], rest[1::2], strict=True):
        text = textwrap.dedent(text.strip("\n")).strip()
        if title.startswith("Example"):
            yield f"**{title}**"
            yield f"```python\n{text}\n```"
        elif title in {"Args", "Attributes", "Raises"}:
            yield f"**{'Parameters' if title == 'Args' else title}**"
            yield _ENTRY.sub(r"- `\1`: ", text)
        else:
            yield f"**{title}**"
            yield text


def _help(parser: argparse.ArgumentParser) -> str:
    """Write the help of a command, in lines that are as long on every terminal."""
    usual: Any = parser.formatter_class
    parser.formatter_class = partial(usual, width=_WIDTH)
    try:
        return parser.format_help()
    finally:
        parser.formatter_class = usual
