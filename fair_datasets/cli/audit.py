"""The command `audit`: a dataset in, what there is to know about its fairness out."""

import argparse
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from datasets import Dataset

from fair_datasets.auditing import MEASURES, Audit
from fair_datasets.auditing import audit as audited
from fair_datasets.auditing.evidence import (
    AUDIT_FILES,
    SCENARIOS,
    read_scenarios,
    refuse_other_files,
    write_evidence,
)
from fair_datasets.auditing.rules import read_rules
from fair_datasets.auditing.settings import TABLES, AuditSettings
from fair_datasets.auditing.terminal import figure_lines
from fair_datasets.cli.audited import (
    PROJECT,
    Side,
    empty_told,
    project_table,
    sides_croissant,
    stated_card,
    write_croissant,
)
from fair_datasets.cli.columns import check_text_columns
from fair_datasets.cli.errors import BrokenRulesError
from fair_datasets.cli.inputs import add_input, load_given
from fair_datasets.cli.parsers import add_parameters, add_scoring, add_shared, option
from fair_datasets.cli.sources import source_of
from fair_datasets.jobs.file_outputs import local_folder, new_folder, refuse_taken_folder
from fair_datasets.rows.column_checks import present
from fair_datasets.system.checks import InputError, called_as, invalid, one_of

TABLE = "tool.fair_datasets.audit"
# The options that the file may not hold.
_HERE = ("help", argparse.SUPPRESS, "format", "list_figures", "overwrite")
_PLACES = ("out", "evidence")
_KINDS = {list: "a text or a list of texts", str: "a text", int: "a whole number",
          bool: "true or false", float: "a number"}  # fmt: skip
EXIT_CODES = """\
exit codes:
  0  done, and no rule of --fail-if is broken
  1  it failed while running
  2  the input, an argument or a rule is wrong
  3  a rule is broken, or its figure could not be measured; the audit was written
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_input(parser)
    option(parser, "--text COL", "a text column, or a path to the texts inside one, such as "
           "'messages[].content'; repeat it for several, which are read together",
           list)  # fmt: skip
    add_shared(parser, "roles")
    option(parser, "--label-names VALUE=NAME,...", "the names of the labels, such as "
           "0=harmless,1=sexist, which are shown instead; those of a ClassLabel are shown "
           "anyway")  # fmt: skip
    option(parser, "--groups COL", "a column with the group of each row, such as who wrote it; "
           "repeat it for several, or separate them by commas", list)  # fmt: skip
    option(parser, "--axis", "a lexicon's name, or your own .tsv file (default: gender); repeat it "
           "for several", list)  # fmt: skip
    add_parameters(
        parser, AuditSettings, label="COL", predictions="COL", table=TABLES, selected="COL",
        score="COL", exclude_below="SHARE", why="TEXT", reference="CSV", model="ID", samples=None,
        model_rows=None, draws=None,
    )  # fmt: skip
    add_shared(parser, "seed")
    _add_other_side(parser)
    add_shared(parser, "names", "pipeline", "reader", "min_confidence")
    option(parser, "--split", "the one split to audit (default: all)")
    add_scoring(parser, "find the rows whose words lean most")
    _add_told(parser)
    # What is not given may stand in a file, and else is the default of `audit` itself.
    told = [each.dest for each in parser._actions if each.option_strings]
    parser.set_defaults(**{name: None for name in told if name not in _HERE})


def _add_told(parser: argparse.ArgumentParser) -> None:
    option(parser, "--fail-if RULE", "end with exit code 3 if a figure is like this, such as "
           "'flip_rate > 0.05' or 'mention_share(gender, woman) < 0.3', or could not be measured; "
           "repeat it for several. With two sides, a rule is about the second; add _change to a "
           "measure to test what differs, as in 'accuracy_change < -0.02'; 'worse(flip_rate)' asks "
           "whether it is surely worse, and 'collapsed' whether the classifier has collapsed. The "
           f"measures: {', '.join(MEASURES)}", list)  # fmt: skip
    option(parser, "--list-figures", "show all figures, named as for --fail-if, instead of the "
           "findings", bool)  # fmt: skip
    places = parser.add_mutually_exclusive_group()
    option(places, "--out -o DIR", "the folder to write: audit.html, audit.json, audit.parquet and "
           "croissant.json (default: the findings are only shown here)", local_folder)  # fmt: skip
    option(places, "--evidence DIR", "the folder to write as evidence: the same files, the tables "
           "as CSV, and the scenarios of its scenarios.toml, which is drafted if it is missing and "
           "never overwritten", local_folder)  # fmt: skip
    option(parser, "--overwrite", "replace the audit in the folder", bool)


def _add_other_side(parser: argparse.ArgumentParser) -> None:
    """Add what is compared with INPUT, or with what a model or a column says of it."""
    option(parser, "--against AFTER", "what INPUT became, such as its augmented twin: a file, a "
           "folder or a dataset of the Hub with the same columns; both are audited, and the report "
           "starts with what differs")  # fmt: skip
    option(parser, "--dropped PATH", "with --against: the file or folder of the rows that a filter "
           "dropped, as datatrove's exclusion writer and Data-Juicer's tracer write them, to "
           "report the reasons")  # fmt: skip
    option(parser, "--reason COL", "with --against: the column that says why a row was dropped, in "
           "--dropped or else in INPUT")  # fmt: skip
    option(parser, "--id COL", "with --against: the column that identifies rows on both sides "
           "(default: by their texts)", dest="id_column")  # fmt: skip
    option(parser, "--against-model ID", "the classifier to ask on the second side, instead of "
           "that of --model or of the probe")  # fmt: skip
    option(parser, "--against-predictions COL", "the column of predictions to read on the second "
           "side, instead of that of --predictions")  # fmt: skip


def _other_side(
    options: argparse.Namespace, settings: Mapping[str, Any]
) -> tuple[argparse.Namespace, dict[str, Any]] | None:
    """Return what the other side is, which is compared with INPUT."""
    model, predictions = options.against_model, options.against_predictions
    if model is not None and predictions is not None:
        raise invalid(
            "--against-model and --against-predictions are two sources of predictions; give "
            "one of them."
        )
    if options.against is None and model is None and predictions is None:
        return None
    if options.against == "-":
        raise invalid(
            "--against reads a file, a folder or a dataset of the Hub, and not the standard "
            "input; give what is piped as INPUT, or write it to a file."
        )
    given = dict(settings)
    if model is not None or predictions is not None:
        given |= {"model": model, "predictions": predictions}
    other = dict(vars(options))
    if options.against is not None:
        other |= {"inputs": [options.against], "input": options.against, "cache": None}
    return argparse.Namespace(**other), given


def _with_project_file(options: argparse.Namespace) -> argparse.Namespace:
    """Take options that were not given from the pyproject.toml of the working folder."""
    table = project_table(TABLE)
    in_file = {
        each.option_strings[0].removeprefix("--"): each
        for each in options.parser._actions
        if each.option_strings and each.dest not in _HERE
    }
    taken = []
    is_written = options.out is not None or options.evidence is not None
    if set(_PLACES) <= set(table):
        raise InputError(
            f"{PROJECT}, [{TABLE}]: evidence writes an audit as well; remove the key 'out'."
        )
    for key, value in table.items():
        with called_as(f"{PROJECT}, [{TABLE}]"):
            one_of(key, in_file, parameter="each key", listing="fair-datasets audit --help-all")
        name, kind = in_file[key].dest, _kind(in_file[key])
        found = [value] if kind is list and isinstance(value, str) else value
        # Where a number is asked for, a whole one is written without a point.
        is_right = isinstance(found, (int, float) if kind is float else kind) and (
            kind is bool or not isinstance(found, bool)
        )
        if not is_right or (kind is list and not all(isinstance(each, str) for each in found)):
            raise InputError(
                f"{PROJECT}, [{TABLE}]: {key} must be {_KINDS[kind]}, but it is {value!r}."
            )
        if name == "fail_if":
            options.fail_if = [*found, *(options.fail_if or [])]
        elif getattr(options, name) is None and not (name in _PLACES and is_written):
            setattr(options, name, _folder(name, value) if name in _PLACES else found)
        else:
            continue
        taken.append(key)
    if taken:
        print(f"fair-datasets: from {PROJECT}: {', '.join(taken)}.", file=sys.stderr)
    return options


def _kind(option: argparse.Action) -> type:
    """Return what an option takes in the file."""
    if isinstance(option, argparse._AppendAction):
        return list
    if option.nargs == 0:
        return bool
    return option.type if option.type in (int, float) else str


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return what `audit` is told."""
    if not options.text and not (options.table or options.reference):
        raise invalid(
            f"name the column with the texts by --text COL, or as text in [{TABLE}] of {PROJECT}."
        )
    given = {each.name: getattr(options, each.name, None) for each in fields(AuditSettings)}
    given = {name: tuple(each) if isinstance(each, list) else each for name, each in given.items()}
    names = None if options.label_names is None else _label_names(options.label_names)
    settings = {name: value for name, value in given.items() if value not in (None, ())}
    settings |= {} if names is None else {"label_names": names}
    return {**settings, "columns": tuple(options.text or ())}


def column_list(given: Sequence[str], existing: Collection[str]) -> tuple[str, ...]:
    """Return columns of which several may be written as one text, separated by commas.

    Args:
        existing: The columns that there are; the name of one is never taken apart.

    Example:
        >>> column_list(["sex,race", "a,b"], ["sex", "race", "a,b"])
        ('sex', 'race', 'a,b')
    """
    return tuple(
        part.strip() for text in given for part in ([text] if text in existing else text.split(","))
    )


def _label_names(text: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",")]
    for label, sign, name in pairs:
        if not (label.strip() and sign and name.strip()):
            raise invalid(
                f"--label-names takes VALUE=NAME, separated by commas, such as "
                f"0=harmless,1=sexist, but it is {text!r}."
            )
    names = {label.strip(): name.strip() for label, _, name in pairs}
    if len(names) < len(pairs):
        raise invalid(f"--label-names {text!r} names one label twice.")
    return names


def source_words(options: argparse.Namespace) -> list[str]:
    """Return what names the rows for another command; nothing where they came by a pipe.

    Example:
        >>> options = argparse.Namespace(inputs=["a.csv"], cache=None, config=None, split="test")
        >>> source_words(options)
        ['a.csv', '--split', 'test']
    """
    if options.cache is not None:
        return []
    words = list(options.inputs)
    for name in ("config", "split"):
        if getattr(options, name) is not None:
            words += [f"--{name}", getattr(options, name)]
    return words


def title_of(options: argparse.Namespace) -> str:
    """Name the dataset by what is read.

    Example:
        >>> title_of(argparse.Namespace(inputs=["in/my tweets.csv.gz"], cache=None))
        'my tweets'
    """
    if options.cache is not None:
        return "standard input"
    last = options.inputs[0].split("@")[0].rstrip("/").split("/")[-1]
    return last.lstrip(".").split(".")[0] or "dataset"


def _folder(name: str, value: str) -> Path:
    try:
        return local_folder(value)
    except argparse.ArgumentTypeError as error:
        raise InputError(f"{PROJECT}, [{TABLE}]: {name}: {error}.") from error


_OF_WENT = ("dropped", "reason", "id_column")


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "audit",
        help="tell whom a dataset mentions, which labels go with whom, what a classifier learns",
        description="Measure a dataset, and a classifier on it, and write the findings as one "
        "page, with its figures as JSON and Parquet. With --against, compare two datasets. You can "
        "also put the options into the pyproject.toml of the working folder, under "
        "[tool.fair_datasets.audit].",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    options = _with_project_file(options)
    settings = settings_of(options)
    if options.against is None and (options.dropped or options.reason or options.id_column):
        raise invalid(
            "--dropped, --reason and --id are about rows that were dropped; name what INPUT "
            "became with --against."
        )
    rules = options.fail_if or []
    read_rules(rules)
    shown = figure_lines if options.list_figures else str
    if options.evidence is not None:
        _write_evidence(options, settings, rules, shown)
        return
    if options.out is None:
        _tell(_compared(_sides(options, settings)), rules, shown)
        return
    _refuse_taken(options.out, replace=options.overwrite)
    stated = stated_card()
    with new_folder(options.out, replace=options.overwrite) as folder:
        sides = _sides(options, settings)
        found = _compared(sides)
        found.save(folder)
        croissant = sides_croissant(found, sides, options.out, stated)
        write_croissant(croissant, folder)
    _tell(found, rules, shown, _written(options.out, croissant))


def _write_evidence(
    options: argparse.Namespace,
    settings: dict[str, Any],
    rules: list[str],
    shown: Callable[[Audit], str],
) -> None:
    """Audit, and write the evidence beside the scenarios that lie in its folder."""
    place, stated = options.evidence, stated_card()
    file = place / SCENARIOS
    scenarios, text = None, ""
    refuse_other_files(place)
    if file.is_file():
        scenarios, text = read_scenarios(file), file.read_text("utf-8")
    has_more = place.is_dir() and any(path.name != SCENARIOS for path in place.iterdir())
    if has_more and not options.overwrite:
        raise InputError(
            f"{place} already contains evidence, and nothing is overwritten; replace it with "
            f"--overwrite, which keeps {SCENARIOS}, or name another folder."
        )
    # What lies there is kept, or was seen to be written by an audit.
    with new_folder(place, replace=place.is_dir()) as folder:
        sides = _sides(options, settings)
        found = _compared(sides)
        croissant = sides_croissant(found, sides, place, stated)
        write_evidence(found, folder, croissant, scenarios, text)
    told = _written(place, croissant)
    if scenarios is None:
        told += f"\n\n{file} is a draft: fill it in, and run this again with --overwrite."
    _tell(found, rules, shown, told)


def _written(folder: Path, croissant: Mapping[str, Any]) -> str:
    """Say what was written, and what its metadata leave empty."""
    page = f"\nWritten to {folder}: open {folder / 'audit.html'}"
    return "\n\n".join(filter(None, [page, empty_told(croissant)]))


def _sides(options: argparse.Namespace, settings: dict[str, Any]) -> list[Side]:
    """Read what is given, and what it is to be compared with, before either is audited."""
    sides = [_read(options, settings)]
    if (other := _other_side(options, sides[0].settings)) is not None:
        if options.against is None:
            sides.append(sides[0]._replace(settings=other[1]))
            _check(sides[0].splits, *other)
        else:
            sides.append(_read(*other))
    return sides


def _compared(sides: Sequence[Side]) -> Audit:
    found: Audit | None = None
    for options, settings, splits, _ in sides:
        title = title_of(options)
        if found and options.against is None:
            title += f", {settings['model'] or settings['predictions']}"
        source = source_words(options)
        went = {name: getattr(options, name) for name in _OF_WENT} if found else {}
        found = audited(splits, title=title, source=source, before=found, **went, **settings)
    if found is None:
        raise AssertionError("there is no side to audit")
    return found


def _read(options: argparse.Namespace, settings: dict[str, Any]) -> Side:
    """Read rows, and refuse what could not be audited."""
    is_told = (options.out or options.evidence) is not None and options.cache is None
    source = source_of(*options.inputs) if is_told else None
    settings = dict(settings)
    splits = load_given(options, settings["columns"], options.split)
    if "groups" in settings:
        names = {name for rows in splits.values() for name in rows.column_names}
        settings["groups"] = column_list(settings["groups"], names)
    _check(splits, options, settings)
    return Side(options, settings, splits, source)


def _check(
    splits: Mapping[str, Dataset], options: argparse.Namespace, settings: dict[str, Any]
) -> None:
    """Refuse what could not be audited."""
    checked = AuditSettings(**settings)
    for split, rows in splits.items():
        where = f"{options.input} (split {split})"
        check_text_columns(rows, settings["columns"], where, settings.get("roles", ()))
        with called_as(where):
            present(checked.named, rows.column_names)


def _tell(found: Audit, rules: list[str], shown: Callable[[Audit], str], written: str = "") -> None:
    """Print the findings or the figures, and raise if a rule is broken."""
    print(f"{shown(found)}{written and chr(10)}{written}")
    if broken := found.check(rules):
        raise BrokenRulesError("\n".join([f"{len(broken)} of {len(rules)} rules broken:", *broken]))


def _refuse_taken(folder: Path, *, replace: bool) -> None:
    """Raise if something would be lost: with leave to replace, anything but an audit."""
    if not (replace and folder.is_dir()):
        refuse_taken_folder(folder)
        return
    if foreign := sorted(path.name for path in folder.iterdir() if path.name not in AUDIT_FILES):
        raise InputError(
            f"{folder / foreign[0]} was not written by an audit and would be lost; name another "
            "folder."
        )
