"""Commands of click, made of classes whose fields are options; only the one that is typed."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from fair_datasets.cli import option_types
from fair_datasets.cli.declared import (
    PACKAGE,
    REQUIRED,
    Field,
    constant,
    definition,
    docstring,
    fields_of,
    value,
)
from fair_datasets.cli.options import spelling
from fair_datasets.system.checks import InputError, format_choices, not_allowed, suggestion

# The options that are called otherwise than their fields.
_FLAGS = {
    "a": "-a --a", "b": "-b --b", "begin": "--from", "licence": "--licence --license",
    "out": "--out -o", "pairs": "--pair", "roles": "--role", "texts_to_keep": "--input",
}  # fmt: skip
# What people write who know the parameters of Python, or other tools.
_MEANT = {"rewrite": "augment", "swap": "augment"}
_ELSEWHERE = {
    "--column": "--text", "--columns": "--text", "--text-column": "--text", "-t": "--text",
    "--data": "--text", "--output": "--out", "--pos-label": "--positive",
}  # fmt: skip
_PATHS = ("AXIS", "DIR", "FILE", "FOLDER", "INPUT", "MODEL", "PLACE")
# What a help says before its first semicolon, or the end of a sentence, outside parentheses.
_CLAUSE = re.compile(r"(?:[^;(.]|\.(?! )|\([^)]*\)?)+")
# Numbers, those of `fair_datasets.system.validate` among them, and how their values are written.
_NUMBERS = {
    "int": (option_types.Whole(), "N"),
    "float": (option_types.Number(), "N"),
    "Count": (option_types.Whole(min=1), "N"),
    "Natural": (option_types.Whole(min=0), "N"),
    "Positive": (option_types.Number(0, min_open=True), "N"),
    "Share": (option_types.Number(0, 1), "SHARE"),
}
_NAMES: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


class Commands(click.Group):
    """Commands, each of which is made when it is asked for."""

    def __init__(
        self, name: str, description: str, parts: "Mapping[str, Places]", *, epilog: str = ""
    ) -> None:
        """Take the commands.

        Args:
            parts: Title to commands that are told together.
        """
        super().__init__(
            name, help=description, epilog=epilog, context_settings=_NAMES, no_args_is_help=False,
            options_metavar=None, subcommand_metavar="COMMAND ...",
        )  # fmt: skip
        self.parts = parts
        self.places = {each: place for part in parts.values() for each, place in part.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return their names."""
        return list(self.places)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Make one of them."""
        match self.places.get(name):
            case None:
                return None
            case str() as place:
                return Leaf(name, place)
            case group:
                return group.kind(name, group.description, {"commands": group.commands})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the one that is typed, or say which was meant."""
        if args[0] not in self.places and not args[0].startswith("-"):
            listing = f"{ctx.command_path} --help"
            message = not_allowed(args[0], list(self.places), _MEANT.get(args[0], ""), listing)
            raise click.UsageError(f"the command {message}", ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what people want."""
        formatter.write_usage(ctx.command_path, "COMMAND ...", "usage: ")
        formatter.write_paragraph()
        formatter.write_text(self.help or "")
        width = max(map(len, self.places))
        for title, part in self.parts.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self.summary(name)) for name in part])
        with formatter.section("options"):
            formatter.write_dl(
                [record for each in self.get_params(ctx) if (record := each.get_help_record(ctx))]
            )
        formatter.write(f"\n{self.epilog}" if self.epilog else "")

    def summary(self, name: str) -> str:
        """Return in a line what a command does."""
        place = self.places[name]
        description = docstring(place) if isinstance(place, str) else place.description
        return description.partition("\n")[0].rstrip(".")


class Group(NamedTuple):
    """Commands below a command.

    Attributes:
        kind: What makes them.
    """

    description: str
    commands: "Places"
    kind: type[Commands] = Commands


Places = Mapping[str, str | Group]
"""The name of each command to its class, as "module:Class", or to the commands below it."""


class Leaf(click.Command):
    """A command that does something."""

    def __init__(
        self,
        name: str,
        place: str,
        *,
        more: Mapping[str, Field] = MappingProxyType({}),
        flags: Mapping[str, str] = MappingProxyType({}),
        description: str = "",
    ) -> None:
        """Read the class of the command.

        Args:
            place: A module and the class in it, with a colon between.
            more: Fields that the class has not.
            flags: Field to its options, where these are not called as it is.
            description: What the command does; "" for what the docstring of the class says.
        """
        description, done = description or docstring(place), constant(place, "DONE")
        self.place = place = constant(place, "ELSEWHERE") or place
        # What a checkout alone has.
        self.lacking = done if definition(place)[1] is None else ""
        fields = {} if self.lacking else {**fields_of(place), **more}
        arguments = constant(place, "ARGUMENTS").split()
        others = {**_FLAGS, **flags}
        flags = {each: others.get(each, f"--{each.replace('_', '-')}") for each in fields}
        self.descriptions = {each.name: _in_help(each, flags) for each in fields.values()}
        parameters: list[click.Parameter] = [
            _argument(each) if each.name in arguments else _option(each, flags[each.name].split())
            for each in fields.values()
        ]
        self.common: list[str] = constant(place, "COMMON").split()
        self.several, self.once = (constant(place, each).split() for each in ("SEVERAL", "ONCE"))
        if self.common:
            parameters.append(
                click.Option(
                    ["--help-all"], is_flag=True, is_eager=True, expose_value=False,
                    callback=self._print_all_help,
                )
            )  # fmt: skip
        super().__init__(
            name, params=parameters, callback=self._made, help=description,
            epilog=constant(place, "EPILOG"),
            context_settings={**_NAMES, "allow_extra_args": True},
        )  # fmt: skip

    def _made(self, **given: Any) -> Any:
        """Return an instance of the class, of what was typed."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)(click.get_current_context())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what was typed, and refuse what has no place."""
        if self.lacking:
            raise InputError(
                f"{self.lacking} in a checkout of the project: clone the repository, type `pip "
                "install -e .` in it, and then the same command there."
            )
        for word in args:
            if "\0" in word:
                ctx.fail(f"{word!r} holds a NUL character, which no path or name may hold.")
        super().parse_args(ctx, args if ctx.resilient_parsing else list(self._whole(ctx, args)))
        if ctx.args and not ctx.resilient_parsing:
            advice = "put words that belong together in quotes"
            ctx.fail(f"There is no place for {format_choices(ctx.args)}; {advice}.")
        return ctx.args

    def _whole(self, ctx: click.Context, words: Sequence[str]) -> Iterator[str]:
        """Give options whole that are cut short, and one before each of several values.

        Raises:
            UsageError: There is no such option, or one has no value, or one that it does not take.
        """
        known = {flag: each for each in self.params for flag in (*each.opts, *each.secondary_opts)}
        known |= dict.fromkeys(_NAMES["help_option_names"], _HELP)
        last, wants_value, has_arguments = "", False, False
        for place, word in enumerate(words):
            if word == "--":
                yield from words[place:]
                return
            if wants_value and word in known:
                ctx.fail(f"{last} needs a value.")
            if wants_value or not re.match(r"-[^\d. ][^ ]*$", word):
                if not wants_value and last[2:] in self.several:
                    yield last
                elif not wants_value:
                    if has_arguments and getattr(known.get(last), "is_flag", False):
                        ctx.fail(f"There is no place for {word!r}; {last} takes no value.")
                    has_arguments = True
                wants_value = False
                yield word
                continue
            name, equals, value = word.partition("=")
            last = _meant(ctx, name, known)
            if last[2:] in self.once and last in words[:place]:
                ctx.fail(f"{last} takes one column; run the command once for each.")
            wants_value = not equals and not getattr(known.get(last, _HELP), "is_flag", False)
            yield f"{last}{equals}{value}"

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Write what is needed."""
        needed = [each for each in self.params if each.required]
        flags = [
            "" if isinstance(each, click.Argument) else f"{spelling(each)} " for each in needed
        ]
        return [f"{flag}{each.make_metavar(ctx)}" for flag, each in zip(flags, needed, strict=True)]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the common options in a few words; all where these are few."""
        self._write(ctx, formatter, self.common)

    def _print_all_help(self, ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
        if is_asked and not ctx.resilient_parsing:
            click.echo(self.all_options(ctx))
            ctx.exit()

    def all_options(self, ctx: click.Context) -> str:
        """Return the help with all options."""
        formatter = ctx.make_formatter()
        self._write(ctx, formatter, [])
        return formatter.getvalue().rstrip("\n")

    def _write(
        self, ctx: click.Context, formatter: click.HelpFormatter, common: Sequence[str]
    ) -> None:
        usage = constant(self.place, "USAGE") or " ".join(self.collect_usage_pieces(ctx))
        for line in usage.splitlines() or [""]:
            formatter.write_usage(ctx.command_path, line, "usage: ")

        def place(parameter: click.Parameter) -> int:
            """Put arguments first, and common options as they are listed."""
            if isinstance(parameter, click.Argument):
                return -1
            return common.index(str(parameter.name)) if parameter.name in common else len(common)

        first, _, more = (self.help or "").partition("\n\n")
        formatter.write_paragraph()
        formatter.write_text(first if common else f"{first}\n\n{more}".strip())
        with formatter.section("arguments and common options" if common else "options"):
            formatter.write_dl(
                [
                    (_written(each, ctx), self._text(each, is_short=bool(common)))
                    for each in sorted(self.get_params(ctx), key=place)
                    if not common or each.name in common or isinstance(each, click.Argument)
                ]
            )
        if common:
            formatter.write(f"\nall options:  {ctx.command_path} --help-all\n")
        elif self.epilog:
            formatter.write(f"\n{self.epilog.rstrip()}\n")

    def _text(self, parameter: click.Parameter, *, is_short: bool) -> str:
        """Return what a parameter does, in a few words or in all."""
        description = self.descriptions.get(str(parameter.name), "show this help and leave")
        return "".join(_CLAUSE.findall(description)[:1]) if is_short else description


_HELP = click.Option(["--help"], is_flag=True)


def _meant(ctx: click.Context, name: str, known: Mapping[str, click.Parameter]) -> str:
    """Return the option that is typed, maybe cut short, or raise."""
    near = [each for each in known if each.startswith(name)]
    if name in known or (name.startswith("--") and len(near) == 1):
        return name if name in known else near[0]
    # "-out" is no "-o" with the value "ut".
    if name[:2] in known and not any(each.startswith(f"-{name}") for each in known):
        return name
    meant = _ELSEWHERE.get(name)
    hint = f" Did you mean {meant!r}?" if meant in known else suggestion(name, known)
    raise click.UsageError(f"There is no option {name}.{hint}", ctx)


def _written(parameter: click.Parameter, ctx: click.Context) -> str:
    """Write a parameter and what it takes."""
    if isinstance(parameter, click.Argument):
        return parameter.make_metavar(ctx)
    # Of a switch that is off by itself the opposite is no news.
    others = [] if parameter.default is False else parameter.secondary_opts
    flags = ", ".join([*parameter.opts, *others])
    is_switch = isinstance(parameter, click.Option) and parameter.is_flag
    return flags if is_switch else f"{flags} {parameter.make_metavar(ctx)}"


def _argument(field: Field) -> click.Argument:
    """Make what stands without an option."""
    settings, is_required = read_as(field.kind, field.module), field.default is REQUIRED
    several: dict[str, Any] = {"nargs": -1} if settings.pop("multiple", False) else {}
    return click.Argument([field.name], required=is_required, **settings, **several)


def _option(field: Field, flags: list[str]) -> click.Option:
    """Make the option that a field declares."""
    settings, is_required = read_as(field.kind, field.module), field.default is REQUIRED
    if settings.get("is_flag"):
        name, default = flags[0].removeprefix("--"), None if is_required else field.default
        opposite = "" if name.startswith("no-") else f"/--no-{name}"
        return click.Option([f"{flags[0]}{opposite}", field.name], is_flag=True, default=default)
    if is_required:  # A default of None would be a value that was given.
        return click.Option([*flags, field.name], required=True, **settings)
    default = field.default
    if settings.get("multiple"):
        default = (default,) if isinstance(default, str) else default or ()
    return click.Option([*flags, field.name], default=default, **settings)


def read_as(kind: ast.expr | None, module: str) -> dict[str, Any]:
    """Return how click reads what an annotation states.

    Example:
        >>> kind = ast.parse("tuple[int, ...] | None", mode="eval").body
        >>> read_as(kind, "fair_datasets")["multiple"], read_as(kind, "fair_datasets")["metavar"]
        (True, 'N')
    """
    match kind:
        case ast.Name(id="bool"):
            return {"is_flag": True}
        case ast.Name() if kind.id in _NUMBERS:
            return dict(zip(("type", "metavar"), _NUMBERS[kind.id], strict=True))
        case ast.Name(id="Path"):
            return {"type": option_types.OptionType("PATH", Path, is_path=True)}
        case ast.BinOp():
            return read_as(kind.left, module) or read_as(kind.right, module)
        case ast.Subscript(value=ast.Name(id="Literal")):
            parts = kind.slice
            several = parts.elts if isinstance(parts, ast.Tuple) else [parts]
            return {"type": option_types.Choice([value(each, module) for each in several])}
        case ast.Subscript(value=ast.Name(id="tuple" | "Sequence"), slice=inner):
            first = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
            return {"type": option_types.OptionType(), **read_as(first, module), "multiple": True}
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[_, inner])):
            is_number = ast.unparse(inner) == "float"
            read, metavar = (
                (option_types.measured, "NAME=NUMBER")
                if is_number
                else (option_types.setting, "NAME=VALUE")
            )
            return {"type": option_types.OptionType(metavar, read), "multiple": True}
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[base, *more])):
            return _annotated(base, more, module)
        case ast.Name() | ast.Attribute():
            home, node = definition(f"{module}:{ast.unparse(kind)}")
            return read_as(node, home) if isinstance(node, ast.expr) else {}
    return {}


def _annotated(base: ast.expr, more: Sequence[ast.expr], module: str) -> dict[str, Any]:
    """Return how click reads a type that is annotated with a reader, names or how it is written."""
    settings, metavar, read = read_as(base, module), "", None
    for each in more:
        match each:
            case ast.Constant():
                metavar = str(each.value)
            case ast.Call(func=ast.Name(id="OneOf")):
                settings = {"type": option_types.Choice(value(each.args[0], module))}
            case ast.Name() if module == option_types.__name__:
                read = getattr(option_types, each.id)
    if (
        read
        or (metavar and not settings)
        or isinstance(settings.get("type"), option_types.OptionType)
    ):
        read = read or (Path if ast.unparse(base) == "Path" else str)
        return {"type": option_types.OptionType(metavar, read, is_path=metavar in _PATHS)}
    return {**settings, **({"metavar": metavar} if metavar else {})}


def _format_constant(name: str, module: str) -> str:
    """Write a constant that a docstring names in braces: also "module:NAME" or "file.toml:key"."""
    place, _, key = name.rpartition(":")
    if place.endswith(".toml"):
        return ", ".join(tomllib.loads((PACKAGE / place).read_text("utf-8"))[key])
    home, node = definition(name if place else f"{module}:{name}")
    content = value(node, home)
    return content if isinstance(content, str) else ", ".join(content)


def _in_help(field: Field, flags: Mapping[str, str]) -> str:
    """Write what a docstring says of a field as a help does, with its default."""
    text = re.sub(r"`(\w+)`", lambda token: flags.get(token[1], token[0]).split()[0], field.text)
    text = re.sub(r"\{([\w.:/]+)\}", lambda token: _format_constant(token[1], field.module), text)
    text = re.sub(r"[;.] [Nn]one for (.+?)(?=[.;] |[.]?$)", r" (default: \1)", text)
    text = re.sub(r" See `[^`]+`[.]", "", text).rstrip(".")
    usual = field.default
    is_usual = usual in (None, False, (), "") or usual is REQUIRED or "default" in text
    if not is_usual:
        several = usual if isinstance(usual, tuple) else (usual,)
        shown = ("yes" if each is True else f"{each:g}" if isinstance(each, float) else str(each)
                 for each in several)  # fmt: skip
        text += f" (default: {', '.join(shown)})"
    return text[:1].lower() + text[1:]
