"""The audit that a command ends with, its Croissant file, and what a pyproject.toml states."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from datasets import Dataset, load_dataset_builder

from fair_datasets.auditing import Audit, audit
from fair_datasets.auditing.cards import (
    audit_croissant,
    audit_lines,
    responsibility,
    synthetic_share,
)
from fair_datasets.auditing.classes import refuse_other_values
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.cards.croissant import (
    NAME,
    DataFile,
    Step,
    croissant,
    data_files,
    describe_empty_fields,
    encoding_of,
    fields_of_card,
    stated_fields,
    steps_of,
)
from fair_datasets.cards.markdown import card_parts
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.option_types import DIR
from fair_datasets.cli.options import Options
from fair_datasets.cli.outputs import Output, written_splits
from fair_datasets.cli.sources import Source
from fair_datasets.hub.repositories import page
from fair_datasets.jobs.file_outputs import new_folder, refuse_taken_folder
from fair_datasets.rows.exact import data_files as named_files
from fair_datasets.rows.exact import is_saved
from fair_datasets.system.checks import InputError, error_context, invalid
from fair_datasets.system.files import indented
from fair_datasets.system.portable import file_digest
from fair_datasets.technique.saved import stated_configs


class Side(NamedTuple):
    """Rows that are audited."""

    options: Any
    settings: dict[str, Any]
    splits: Mapping[str, Dataset]
    source: Source | None


def sides_croissant(
    audit: Audit, sides: Sequence[Side], folder: Path, stated: Mapping[str, Any]
) -> dict[str, Any]:
    """Describe what was audited, with what was found.

    Returns:
        The JSON-LD data. Without files where none lie here, or in a format that the reference
        reader does not read.
    """
    first, last = sides[0], sides[-1]
    options, source = last.options, last.source
    given: dict[str, Any] = {}
    if options.against is not None:
        # A row may come from one that was not read.
        columns, roles = last.settings["columns"], last.settings.get("roles", ())
        if columns and options.limit is None and options.split is None:
            given["synthetic_share"] = synthetic_share(first.splits, last.splits, columns, roles)
        given["sources"] = first.source.names if first.source else []
    if options.limit is not None:
        given["limits"] = [f"Of each split, the first {options.limit:,} rows alone were read."]
    if source is not None:
        given["steps"] = steps_of(stated_configs(source.card, options.config))
        stated = {**_stated_of(source), **stated}
    files = {} if source is None else files_of(source, options.config)
    read = {name: own for name, own in files.items() if name in last.splits}
    return audit_croissant(
        audit,
        stated=stated,
        files=files_beside(read, folder),
        features=next(iter(last.splits.values())).features,
        **given,
    )


def _stated_of(source: Source) -> dict[str, Any]:
    """Return what the card of a source states, and its address."""
    address = {"url": page(source.target)} if source.target else {}
    return {**address, **fields_of_card(card_parts(source.card)[0])}


def files_of(source: Source, config: str | None) -> dict[str, list[Path]]:
    """Find the data files that a source consists of.

    Returns:
        Split name to its files; nothing where it is on the Hub, or saved by `save_to_disk`.
    """
    paths = list(map(Path, source.files))
    if not paths or (paths[0].is_dir() and is_saved(paths[0])):
        return {}
    if paths[0].is_dir():
        by_split = load_dataset_builder(str(paths[0]), config).config.data_files or {}
        return {str(split): list(map(Path, files)) for split, files in by_split.items()}
    return {"train": [file for path in paths for file in named_files(path)]}


def files_beside(files: Mapping[str, Sequence[Path]], folder: Path) -> list[DataFile]:
    """Describe files by where they lie from a folder on.

    Returns:
        The files; one that does not lie in the folder is named by its name alone, as where it lies
        is nobody's business. None if two have one name, or one is in a format that the reference
        reader does not read.
    """
    if not all(encoding_of(file.name) for own in files.values() for file in own):
        return []
    entries = [
        DataFile(_place(file, folder), split, file_digest(file), file.stat().st_size)
        for split, own in files.items()
        for file in own
    ]
    return entries if len({file.path for file in entries}) == len(entries) else []


def _place(file: Path, folder: Path) -> str:
    """Return where a file lies in a folder; the name of one that lies elsewhere."""
    own, place = file.resolve(), folder.resolve()
    return own.relative_to(place).as_posix() if own.is_relative_to(place) else own.name


def write_croissant(data: Mapping[str, Any], folder: Path) -> None:
    """Write a Croissant file."""
    (folder / NAME).write_text(f"{indented(data)}\n", encoding="utf-8")


PROJECT = Path("pyproject.toml")
CARD = "tool.fair_datasets.card"


def project_table(name: str) -> dict[str, Any]:
    """Return a table of the pyproject.toml; nothing where there is no such file or table.

    Example:
        >>> project_table("tool.fair_datasets.none")
        {}
    """
    if not PROJECT.is_file():
        return {}
    try:
        table: Any = tomllib.loads(PROJECT.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{PROJECT} cannot be read ({error}), and may hold [{name}]; repair it."
        ) from error
    for key in name.split("."):
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise InputError(f"{PROJECT}: [{name}] must be a table, with a line for each key.")
    return dict(table)


def stated_card() -> dict[str, Any]:
    """Read what the pyproject.toml states of the dataset."""
    with error_context(f"{PROJECT}, [{CARD}]"):
        return stated_fields(project_table(CARD))


def empty_fields_hint(croissant: Mapping[str, Any]) -> str:
    """Return what a Croissant file leaves empty, and where to state it."""
    hint = describe_empty_fields(croissant)
    return hint and f"{hint} State what is known in [{CARD}] of {PROJECT}."


class Audited(Options):
    """The audit that a command ends with.

    Attributes:
        audit: Audit the rows before and after, tell what became better and what worse, and write
            the report to this folder, as `fair-datasets audit` does; the folder of --out, also if
            it is published, then has the findings in its card, and a Croissant file.
    """

    audit: DIR | None = None


@dataclass
class ChangeAudit:
    """The audit of rows beside that of what they were, where it is asked for."""

    folder: Path | None
    settings: Mapping[str, Any]
    file: Path | None = None
    result: Audit | None = None
    described: Callable[..., dict[str, Any]] | None = None
    stated: Mapping[str, Any] = field(default_factory=dict)
    started: str = ""

    def check(self, splits: Mapping[str, Dataset]) -> None:
        """Refuse labels that could not be audited, before any work is done."""
        if (label := self.settings.get("label")) is not None:
            refuse_other_values(splits, label)

    def section(
        self, before: Mapping[str, Dataset], made: Path, out: Output, source: Source,
        steps: Sequence[Step],
    ) -> str:  # fmt: skip
        """Audit both sides, and write the Croissant file beside the rows."""
        if self.folder is None:
            return ""
        settings = dict(self.settings)
        after = _written_rows(made, out, settings["columns"])
        words = [str(out)] if out.file or out.folder else []
        first = audit(before, title=source.shown, **settings)
        self.result = audit(after, title=out.title, source=words, before=first, **settings)
        share = synthetic_share(before, after, settings["columns"], settings.get("roles", ()))
        rows = ", ".join(f"{split} {len(own):,}" for split, own in before.items())
        steps = self._timed([Step(f"rows read as they are ({rows})", rewrites=False), *steps])
        measured = responsibility(
            self.result, synthetic_share=share, sources=source.names, steps=steps
        )
        self.described = partial(
            croissant, out.title, features=next(iter(after.values())).features,
            stated={**_stated(source, out), **self.stated}, responsibility=measured,
        )  # fmt: skip
        if out.file is None:
            write_croissant(self.described(files=data_files(made)), made)
        lines = "\n".join(audit_lines(self.result))
        return f"\n## Audit\n\n{lines}\n"

    def _timed(self, steps: Sequence[Step]) -> list[Step]:
        """Return when the first step began, and when the last one ended."""
        first, *others = steps
        *others, last = [first._replace(started=self.started), *others]
        return [*others, last._replace(ended=_now())]

    def report(self) -> None:
        """Write the audit to its folder, and print it."""
        if self.folder is None or self.result is None or self.described is None:
            return
        with new_folder(self.folder) as folder:
            self.result.save(folder)
            if self.file is not None:
                # Beside one file, nothing else is written.
                files = files_beside({"train": [self.file]}, self.folder)
                write_croissant(self.described(files=files), folder)
        page = self.folder / "audit.html"
        print(f"\n{self.result}\n\nThe audit is written to {self.folder}: open {page}")
        if hint := empty_fields_hint(self.described(files=[])):
            print(f"\n{hint}")


def _now() -> str:
    """Return the time, as ISO 8601 has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _stated(source: Source, out: Output) -> dict[str, Any]:
    """Return what holds of the rows that were made as it does of their source."""
    fields = fields_of_card(source.metadata)
    # They were made from the source itself.
    fields.pop("wasDerivedFrom", None)
    return fields if out.file or out.folder else fields | {"url": str(out)}


def refuse_dry_audit(options: Any) -> None:
    """Raise where an audit is asked for of rows that are not written."""
    if options.dry_run and options.audit is not None:
        raise invalid(
            "--audit reads what was written, and --dry-run writes nothing; leave out one of them."
        )


def audit_request(
    options: Audited, out: Output, columns: Sequence[str], **settings: Any
) -> ChangeAudit:
    """Read what is to be audited, and refuse what could not be, before any work is done."""
    if options.audit is None:
        if getattr(options, "audit_label", None) is not None:
            raise invalid("--audit-label is for --audit; give both.")
        return ChangeAudit(None, {})
    if out.file and out.path is None:
        raise invalid(
            "--audit reads what was written, but what goes to the standard "
            "output cannot be read again; name a file or a folder with --out."
        )
    if out.path and out.path.resolve() in [
        options.audit.resolve(), *options.audit.resolve().parents,
    ]:  # fmt: skip
        raise invalid(
            f"--audit {options.audit} lies in --out {out}, and its files would "
            "be read as rows of that folder; name another folder."
        )
    refuse_taken_folder(options.audit)
    given = {name: value for name, value in settings.items() if value not in (None, (), [])}
    AuditSettings(columns=tuple(columns), **given)
    file = out.path if out.file else None
    settings = {"columns": tuple(columns), **given}
    return ChangeAudit(options.audit, settings, file, stated=stated_card(), started=_now())


def _written_rows(made: Path, out: Output, columns: Sequence[str]) -> Mapping[str, Dataset]:
    if out.file is not None and out.file.path is not None:
        own = out.file.delimiter if out.file.kind == ".csv" else None
        place = str(made / out.file.path.name)
        splits: Mapping[str, Dataset] = load_input([place], columns, None, delimiter=own)
        return splits
    return written_splits(made, keep_in_memory=True)
