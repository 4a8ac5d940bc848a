"""The command `audit`: a dataset in, what there is to know about its fairness out."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Annotated, Any

import click
from datasets import Dataset

from fair_datasets.auditing import Audit as Audited
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
    empty_fields_hint,
    project_table,
    sides_croissant,
    stated_card,
    write_croissant,
)
from fair_datasets.cli.columns import check_text_columns
from fair_datasets.cli.errors import BrokenRulesError
from fair_datasets.cli.groups import Input, ReaderOptions, Scoring, Seed, Trusted
from fair_datasets.cli.inputs import load_given
from fair_datasets.cli.option_types import AXIS, COL, DIR, NAMES, VECTORS
from fair_datasets.cli.options import Options
from fair_datasets.cli.sources import source_of
from fair_datasets.jobs.file_outputs import new_folder, refuse_taken_folder
from fair_datasets.rows.column_checks import present
from fair_datasets.system.checks import InputError, error_context, invalid, one_of
from fair_datasets.system.validate import Count, Natural, OneOf, Share

TABLE = "tool.fair_datasets.audit"
# The options that the file may not hold.
_HERE = ("inputs", "help_all", "format", "list_figures", "overwrite")
_PLACES = ("out", "evidence")
EXIT_CODES = """\
exit codes:
  0  done, and no rule of --fail-if is broken
  1  it failed while running
  2  the input, an argument or a rule is wrong
  3  a rule is broken, or its figure could not be measured; the audit was written
"""


class Against(Options):
    """What is compared with INPUT, or with what a model or a column says of it.

    Attributes:
        against: What INPUT became, such as its augmented twin: a file, a folder or a dataset of the
            Hub with the same columns; both are audited, and the report starts with what differs.
        dropped: With --against: the file or folder of the rows that a filter dropped, as
            datatrove's exclusion writer and Data-Juicer's tracer write them, to report the reasons.
        reason: With --against: the column that says why a row was dropped, in --dropped or else in
            INPUT.
        id: With --against: the column that identifies rows on both sides (default: by their
            texts).
        against_model: The classifier to ask on the second side, instead of that of --model or of
            the probe.
        against_predictions: The column of predictions to read on the second side, instead of that
            of --predictions.
    """

    against: Annotated[str, "AFTER"] | None = None
    dropped: Annotated[str, "PATH"] | None = None
    reason: COL | None = None
    id: COL | None = None
    against_model: Annotated[str, "ID"] | None = None
    against_predictions: COL | None = None


class Audit(Input, ReaderOptions, Trusted, Scoring, Seed, Against):
    """Report whom a dataset mentions, which labels go with whom, and what a model learns.

    A dataset, and a classifier on it, are measured, and the findings are written as one page, with
    the figures as JSON and Parquet. With --against, two datasets are compared. You can also put the
    options into the pyproject.toml of the working folder, under [tool.fair_datasets.audit].

    Attributes:
        text: A text column, or a path to the texts inside one, such as 'messages[].content'; repeat
            it for several, which are read together.
        roles: Read a conversation's texts of this role only, such as user; repeat it for several.
        label_names: The names of the labels, such as 0=harmless,1=sexist, which are shown instead;
            those of a ClassLabel are shown anyway.
        groups: A column with the group of each row, such as who wrote it; repeat it for several, or
            separate them by commas.
        axis: A lexicon's name, or your own .tsv file (default: gender); repeat it for several.
        split: The one split to audit (default: all).
        vectors: Word vectors that find the rows whose words lean most: GloVe or word2vec text or
            binary, .npz, or a Hub id.
        fail_if: End with exit code 3 if a figure is like this, such as 'flip_rate > 0.05' or
            'mention_share(gender, woman) < 0.3', or could not be measured; repeat it for several.
            With two sides, a rule is about the second; add _change to a measure to test what
            differs, as in 'accuracy_change < -0.02'; 'worse(flip_rate)' asks whether it is surely
            worse, and 'collapsed' whether the classifier has collapsed. The measures:
            {auditing/texts.en.toml:measures}.
        name_sensitivity: Also ask the classifier about rows under names of 55 cultures and of both
            genders, and report which shift its scores.
        list_figures: Show all figures, named as for --fail-if, instead of the findings.
        out: The folder to write: audit.html, audit.json, audit.parquet and croissant.json (default:
            the findings are only shown here).
        evidence: The folder to write as evidence: the same files, the tables as CSV, and the
            scenarios of its scenarios.toml, which is drafted if it is missing and never
            overwritten.
        overwrite: Replace the audit in the folder.
    """

    LIKE = "fair_datasets.auditing.settings:AuditSettings"
    COMMON = "text label axis groups fail_if out"
    EPILOG = EXIT_CODES

    text: tuple[COL, ...] = ()
    roles: tuple[Annotated[str, "ROLE"], ...] = ()
    label: COL | None
    label_names: NAMES | None = None
    groups: tuple[COL, ...] = ()
    axis: tuple[AXIS, ...] = ("gender",)
    predictions: COL | None
    table: Annotated[str, OneOf(TABLES)] | None
    selected: COL | None
    score: COL | None
    exclude_below: Share | None
    why: Annotated[str, "TEXT"] | None
    reference: tuple[Annotated[str, "CSV"], ...]
    model: Annotated[str, "ID"] | None
    samples: Natural
    model_rows: Count
    name_sensitivity: bool
    draws: Count
    split: Annotated[str, "SPLIT"] | None = None
    vectors: VECTORS | None = None
    fail_if: tuple[Annotated[str, "RULE"], ...] = ()
    list_figures: bool = False
    out: DIR | None = None
    evidence: DIR | None = None
    overwrite: bool = False

    def run(self) -> None:
        """Run the command."""
        _add_project_file(self)
        settings = settings_of(self)
        if self.against is None and (self.dropped or self.reason or self.id):
            raise invalid(
                "--dropped, --reason and --id are about rows that were dropped; name what INPUT "
                "became with --against."
            )
        rules = list(self.fail_if)
        read_rules(rules)
        shown = figure_lines if self.list_figures else str
        if self.evidence is not None:
            _write_evidence(self, self.evidence, settings, rules, shown)
            return
        if self.out is None:
            _print_audit(_compared(_sides(self, settings)), rules, shown)
            return
        _refuse_taken(self.out, replace=self.overwrite)
        audit, message = _write(self, self.out, settings, _save, replace=self.overwrite)
        _print_audit(audit, rules, shown, message)


def _other_side(options: Audit, settings: Mapping[str, Any]) -> tuple[Audit, dict[str, Any]] | None:
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
    other = copy(options)
    if options.against is not None:
        other.inputs, other.cache = (options.against,), None
    return other, given


def _add_project_file(options: Audit) -> None:
    """Take options that were not typed from the pyproject.toml of the working folder."""
    where, table = f"{PROJECT}, [{TABLE}]", project_table(TABLE)
    parameters = {each.opts[0].removeprefix("--"): each for each in options.context.command.params}
    in_file = {flag: each for flag, each in parameters.items() if each.name not in _HERE}
    typed = [str(each.name) for each in in_file.values() if options.is_given(str(each.name))]
    if set(_PLACES) <= set(table):
        raise InputError(f"{where}: evidence writes an audit as well; remove the key 'out'.")
    if set(_PLACES) <= set(typed):
        raise invalid("--evidence writes an audit as well; leave out --out.")
    for key in table:
        with error_context(where, {}):
            one_of(key, in_file, parameter="each key", listing="fair-datasets audit --help-all")
    try:
        words = ["INPUT", *(word for key, value in table.items() for word in _words(key, value))]
        read = options.context.command.make_context("audit", words).params
    except click.UsageError as error:
        raise InputError(f"{where}: {error.format_message()}") from error
    taken = []
    for key in table:
        name = str(in_file[key].name)
        if name == "fail_if":
            options.fail_if = (*read[name], *options.fail_if)
        elif name not in typed and not (name in _PLACES and {*_PLACES} & {*typed}):
            setattr(options, name, read[name])
        else:
            continue
        taken.append(key)
    if taken:
        print(f"fair-datasets: from {PROJECT}: {', '.join(taken)}.", file=sys.stderr)


def _words(key: str, value: Any) -> list[str]:
    """Write what the file states as one would type it."""
    if isinstance(value, bool):
        return [f"--{key}" if value else f"--no-{key}"]
    several = value if isinstance(value, list) else [value]
    return [word for each in several for word in (f"--{key}", str(each))]


def settings_of(options: Audit) -> dict[str, Any]:
    """Return what `audit` is told."""
    if not options.text and not (options.table or options.reference):
        raise invalid(
            f"name the column with the texts by --text COL, or as text in [{TABLE}] of {PROJECT}."
        )
    names = dict(options.label_names or ()) or None
    return {**options.settings_for(AuditSettings, label_names=names), "columns": options.text}


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


def source_words(options: Any) -> list[str]:
    """Return what names the rows for another command; nothing where they came by a pipe.

    Example:
        >>> from types import SimpleNamespace
        >>> source_words(SimpleNamespace(inputs=["a.csv"], cache=None, config=None, split="test"))
        ['a.csv', '--split', 'test']
    """
    if options.cache is not None:
        return []
    words = list(options.inputs)
    for name in ("config", "split"):
        if getattr(options, name) is not None:
            words += [f"--{name}", getattr(options, name)]
    return words


def title_of(options: Any) -> str:
    """Name the dataset by what is read.

    Example:
        >>> from types import SimpleNamespace
        >>> title_of(SimpleNamespace(inputs=["in/my tweets.csv.gz"], cache=None))
        'my tweets'
    """
    if options.cache is not None:
        return "standard input"
    last = options.inputs[0].split("@")[0].rstrip("/").split("/")[-1]
    return last.lstrip(".").split(".")[0] or "dataset"


def _write_evidence(
    options: Audit,
    place: Path,
    settings: dict[str, Any],
    rules: list[str],
    shown: Callable[[Audited], str],
) -> None:
    """Audit, and write the evidence beside the scenarios that lie in its folder."""
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

    def save(audit: Audited, folder: Path, croissant: Mapping[str, Any]) -> None:
        write_evidence(audit, folder, croissant, scenarios, text)

    # What lies there is kept, or was seen to be written by an audit.
    audit, message = _write(options, place, settings, save, replace=place.is_dir())
    if scenarios is None:
        message += f"\n\n{file} is a draft: fill it in, and run this again with --overwrite."
    _print_audit(audit, rules, shown, message)


def _save(audit: Audited, folder: Path, croissant: Mapping[str, Any]) -> None:
    audit.save(folder)
    write_croissant(croissant, folder)


def _write(
    options: Audit, place: Path, settings: dict[str, Any], save: Callable[..., None], *,
    replace: bool,
) -> tuple[Audited, str]:  # fmt: skip
    """Audit, save it into a folder, and return it with what is told of the folder."""
    stated = stated_card()
    with new_folder(place, replace=replace) as folder:
        sides = _sides(options, settings)
        audit = _compared(sides)
        croissant = sides_croissant(audit, sides, place, stated)
        save(audit, folder, croissant)
    page = f"\nWritten to {place}: open {place / 'audit.html'}"
    return audit, "\n\n".join(filter(None, [page, empty_fields_hint(croissant)]))


def _sides(options: Audit, settings: dict[str, Any]) -> list[Side]:
    """Read what is given, and what it is to be compared with, before either is audited."""
    sides = [_load_side(options, settings)]
    if (other := _other_side(options, sides[0].settings)) is not None:
        if options.against is None:
            sides.append(sides[0]._replace(settings=other[1]))
            _check(sides[0].splits, *other)
        else:
            sides.append(_load_side(*other))
    return sides


def _compared(sides: Sequence[Side]) -> Audited:
    audit: Audited | None = None
    for options, settings, splits, _ in sides:
        title = title_of(options)
        if audit and options.against is None:
            title += f", {settings['model'] or settings['predictions']}"
        source = source_words(options)
        went = {"dropped": options.dropped, "reason": options.reason, "id_column": options.id}
        went = went if audit else {}
        audit = audited(splits, title=title, source=source, before=audit, **went, **settings)
    if audit is None:
        raise AssertionError("there is no side to audit")
    return audit


def _load_side(options: Audit, settings: dict[str, Any]) -> Side:
    """Read rows, and refuse what could not be audited."""
    is_recorded = (options.out or options.evidence) is not None and options.cache is None
    source = source_of(*options.inputs) if is_recorded else None
    settings = dict(settings)
    splits = load_given(options, settings["columns"], options.split)
    if "groups" in settings:
        names = {name for rows in splits.values() for name in rows.column_names}
        settings["groups"] = column_list(settings["groups"], names)
    _check(splits, options, settings)
    return Side(options, settings, splits, source)


def _check(splits: Mapping[str, Dataset], options: Audit, settings: dict[str, Any]) -> None:
    """Refuse what could not be audited."""
    checked = AuditSettings(**settings)
    for split, rows in splits.items():
        where = f"{options.input} (split {split})"
        check_text_columns(rows, settings["columns"], where, settings.get("roles", ()))
        with error_context(where):
            present(checked.columns_read, rows.column_names)


def _print_audit(
    audit: Audited, rules: list[str], shown: Callable[[Audited], str], written: str = ""
) -> None:
    """Print the findings or the figures, and raise if a rule is broken."""
    print(f"{shown(audit)}{written and chr(10)}{written}")
    if broken := audit.check(rules):
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
