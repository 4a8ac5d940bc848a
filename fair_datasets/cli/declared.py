"""What classes and functions take, read from their source: importing them would take far longer.

A command is a class, each field of which is an option; its docstring tells what they do. What it
does not tell is told, with the default, by the class or function that its constant LIKE names.
"""

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.system.checks import parse_docstring_section

PACKAGE = Path(__file__).parents[1]
_INSIDE = PACKAGE / "metrics"
MEASURES = _INSIDE if _INSIDE.is_dir() else PACKAGE.parent / "metrics"
"""The folder of the measures: inside an installed package, or beside it in a checkout."""
REQUIRED = object()
"""The default of what has none."""


class Field(NamedTuple):
    """A field of a class, or a parameter of a function.

    Attributes:
        kind: What it takes, as it is annotated; None if it is not.
        module: Where that was written.
        is_positional: Whether a call may leave out its name.
    """

    name: str
    kind: ast.expr | None
    default: Any
    text: str
    module: str
    is_positional: bool = False


_NOTHING = Field("", None, REQUIRED, "", "")


def definition(place: str) -> tuple[str, Any]:
    """Follow imports to where a name is defined.

    Args:
        place: A module and a name in it, with a colon between.

    Returns:
        The module that defines it, and its definition there; None for a name that is not there.

    Example:
        >>> definition("fair_datasets.swap.rewriting:Rewriter")[0]
        'fair_datasets.swap.rewriting.rewriter'
    """
    module, _, name = place.partition(":")
    outer, _, inner = name.partition(".")
    entry = names_in(module).get(outer)
    if isinstance(entry, str):
        # An imported module, or a name of one.
        is_module = inner and _file(entry.replace(":", ".")) is not None
        place = (
            f"{entry.replace(':', '.')}:{inner}" if is_module else entry + f".{inner}" * bool(inner)
        )
        return definition(place)
    if inner and entry is not None:
        entry = next((each for each in entry.body if getattr(each, "name", "") == inner), None)
    return module, entry


def value(node: ast.expr, module: str) -> Any:
    """Evaluate a constant, or what is made of some; of a mapping its keys alone.

    Example:
        >>> modes = ast.parse("(*TIES, 'x')", mode="eval").body
        >>> value(modes, "fair_datasets.swap.preferences")
        ('equal', 'gap', 'x')
    """
    match node:
        case ast.Constant():
            return node.value
        case ast.UnaryOp(op=ast.USub()):
            return -value(node.operand, module)
        case ast.Name() | ast.Attribute():
            home, content = definition(f"{module}:{ast.unparse(node)}")
            return value(content, home)
        case ast.Tuple() | ast.List() | ast.Set():
            content = []
            for each in node.elts:
                inner = value(each.value if isinstance(each, ast.Starred) else each, module)
                content += inner if isinstance(each, ast.Starred) else [inner]
            return tuple(content)
        case ast.Dict():
            return tuple(value(key, module) for key in node.keys if key is not None)
        case ast.Call():
            return value(node.args[0], module) if node.args else ()
        case ast.BinOp(op=ast.Add()):
            return value(node.left, module) + value(node.right, module)
        case ast.JoinedStr():
            return "".join(str(value(part, module)) for part in node.values)
        case ast.FormattedValue():
            return value(node.value, module)
    raise TypeError(f"{ast.unparse(node)} is no constant")


def fields_of(place: str) -> dict[str, Field]:
    """Read the fields of a class and of its bases, or the parameters of a function.

    Example:
        >>> joint = fields_of("fair_datasets.swap.counterfactual:CounterfactualSwap")["joint"]
        >>> joint.default, joint.text.split(".")[0]
        (False, 'Whether several axes are rewritten in one counterfactual')
    """
    module, node = definition(place)
    if isinstance(node, ast.FunctionDef):
        return _parameters(node, module)
    fields: dict[str, Field] = {}
    for base in _bases(node, module):
        fields |= fields_of(base)
    texts = parse_docstring_section(ast.get_docstring(node) or "", "Attributes")
    own = {ast.unparse(each.target): each for each in node.body if isinstance(each, ast.AnnAssign)}
    like = fields_of(other) if (other := _own(node, module, "LIKE")) else {}
    for name, each in own.items():
        if "ClassVar" in ast.unparse(each.annotation):
            continue
        default, same = _default(each.value, module), like.get(name)
        if default is REQUIRED and same and name not in texts:
            default = same.default
        text = (same or fields.get(name, _NOTHING)).text
        fields[name] = Field(name, each.annotation, default, text, module)
    return _with_texts(fields, texts)


def class_in(module: str) -> str:
    """Return the place of the first class that a module defines."""
    names = names_in(module).items()
    return next(f"{module}:{name}" for name, each in names if isinstance(each, ast.ClassDef))


def docstring(place: str) -> str:
    """Return the docstring of a class, without the section of its attributes."""
    _, node = definition(place)
    return (ast.get_docstring(node) or "").partition("\nAttributes:\n")[0].strip()


def constant(place: str, name: str) -> Any:
    """Return a constant of a class, or of the last base that has it; "" where none does."""
    module, node = definition(place)
    if node is None:
        return ""
    inherited = (constant(base, name) for base in reversed(_bases(node, module)))
    return _own(node, module, name) or next(filter(None, inherited), "")


def _own(node: ast.ClassDef, module: str, name: str) -> Any:
    """Return a constant of a class itself; "" where it has none of the name."""
    for each in node.body:
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name:
            return value(each.value, module)
    return ""


def _bases(node: ast.ClassDef, module: str) -> list[str]:
    """Return the bases of a class that are of this project."""
    places = [f"{module}:{ast.unparse(base)}" for base in node.bases]
    return [place for place in places if isinstance(definition(place)[1], ast.ClassDef)]


def _parameters(node: ast.FunctionDef, module: str) -> dict[str, Field]:
    positional = [*node.args.posonlyargs, *node.args.args]
    lacking = [None] * (len(positional) - len(node.args.defaults))
    defaults = [*lacking, *node.args.defaults, *node.args.kw_defaults]
    fields = {
        each.arg: Field(
            each.arg, each.annotation, _default(default, module), "", module, each in positional
        )
        for each, default in zip([*positional, *node.args.kwonlyargs], defaults, strict=True)
        if each.arg != "self"
    }
    return _with_texts(fields, parse_docstring_section(ast.get_docstring(node) or "", "Args"))


def _with_texts(fields: dict[str, Field], texts: dict[str, str]) -> dict[str, Field]:
    return {name: each._replace(text=texts.get(name, each.text)) for name, each in fields.items()}


def _default(node: ast.expr | None, module: str) -> Any:
    return REQUIRED if node is None else value(node, module)


@cache
def names_in(module: str) -> dict[str, Any]:
    """Return what a module binds: its definitions, and "module:name" for what it imports."""
    file = _file(module)
    names: dict[str, Any] = {}
    for node in ast.parse(file.read_text("utf-8")).body if file else ():
        match node:
            case ast.ImportFrom():
                above = module.split(".")[: 1 - node.level or None] if node.level else []
                home = ".".join([*above, *([node.module] if node.module else [])])
                names |= {each.asname or each.name: f"{home}:{each.name}" for each in node.names}
            case ast.ClassDef() | ast.FunctionDef():
                names[node.name] = node
            case ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=target):
                names[ast.unparse(target)] = node.value
    return names


def _file(module: str) -> Path | None:
    """Return the file of a module of this project; None where there is none."""
    above, path = PACKAGE.parent, module.replace(".", "/")
    places = [above / path, PACKAGE / path]  # A wheel has the measures inside.
    if path.startswith("hub_scripts/") and (checkout := find_spec("hub_scripts")):
        # It may lie elsewhere than the package that runs.
        locations = checkout.submodule_search_locations or ()
        places += [Path(each).parent / path for each in locations]
    files = (
        file for place in places
        for file in (place.with_suffix(".py"), place / "__init__.pyi", place / "__init__.py")
    )  # fmt: skip
    return next(filter(Path.is_file, files), None)
