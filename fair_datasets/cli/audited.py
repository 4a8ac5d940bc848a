"""What a command ends with on request: the audit of its rows beside that of what they were."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing import Audit, audit
from fair_datasets.auditing.classes import refuse_other_values
from fair_datasets.auditing.metadata import audit_lines, responsibility, synthetic_share
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.cards.croissant import NAME, Step, croissant, data_files
from fair_datasets.cards.stated import fields_of_card
from fair_datasets.cli.croissants import files_beside, write_croissant
from fair_datasets.cli.drafts import Draft
from fair_datasets.cli.file_outputs import FileOutput
from fair_datasets.cli.folders import local_folder, new_folder, refuse_taken_folder
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.outputs import Output, name_of
from fair_datasets.cli.project import empty_told, stated_card
from fair_datasets.cli.publishing import HubOutput
from fair_datasets.cli.sources import Source
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset


def add_audit(parser: argparse.ArgumentParser, *, label: bool = False) -> None:
    """Add the request of an audit.

    Args:
        label: Whether the command has no option of its own for the labels.
    """
    parser.add_argument(
        "--audit", type=local_folder, metavar="DIR",
        help="audit the rows before and after, tell what the change bought and cost, and write it "
        "to this folder as `fair-datasets audit` does; a folder that is written, or published, "
        f"then has the findings in its card, and the Croissant file ({NAME}) itself",
    )  # fmt: skip
    if label:
        parser.add_argument(
            "--audit-label", metavar="COL",
            help="with --audit: the column with the class of each row, on which a probe is trained",
        )  # fmt: skip


@dataclass
class ChangeAudit:
    """The audit of rows beside that of what they were, where it is asked for.

    Attributes:
        folder: Where it is written to; None if it is not asked for.
        settings: What `audit` is told of both sides.
        file: The one file that is written; None if it is a folder, or is published.
        found: What was found, once both sides were audited.
        described: What describes the files that were written, once they are known.
        stated: What people state of what is written.
        started: When the command began.
    """

    folder: Path | None
    settings: Mapping[str, Any]
    file: Path | None = None
    found: Audit | None = None
    described: Callable[..., dict[str, Any]] | None = None
    stated: Mapping[str, Any] = field(default_factory=dict)
    started: str = ""

    def check(self, splits: "Mapping[str, Dataset]") -> None:
        """Refuse labels that could not be audited, before any work is done.

        Raises:
            InputError: The column is missing, or holds something else than classes.
        """
        if (label := self.settings.get("label")) is not None:
            refuse_other_values(splits, label)

    def section(
        self, before: "Mapping[str, Dataset]", draft: Draft, out: Output, source: Source,
        steps: Sequence[Step],
    ) -> str:  # fmt: skip
        """Audit both sides, and write the Croissant file beside the rows.

        Returns:
            The section of the card; empty if no audit is asked for.
        """
        if self.folder is None:
            return ""
        settings = dict(self.settings)
        after = _written_rows(draft, settings["columns"])
        words = [] if isinstance(out, HubOutput) else [str(out)]
        first = audit(before, title=source.shown, **settings)
        self.found = audit(after, title=name_of(out), source=words, before=first, **settings)
        share = synthetic_share(before, after, settings["columns"], settings.get("roles", ()))
        rows = ", ".join(f"{split} {len(own):,}" for split, own in before.items())
        steps = self._timed([Step(f"rows read as they are ({rows})", rewrites=False), *steps])
        said = responsibility(self.found, synthetic_share=share, sources=source.names, steps=steps)
        self.described = partial(
            croissant, name_of(out), features=next(iter(after.values())).features,
            stated={**_stated(source, out), **self.stated}, responsibility=said,
        )  # fmt: skip
        if draft.file is None:
            write_croissant(self.described(files=data_files(draft.folder)), draft.folder)
        lines = "\n".join(audit_lines(self.found))
        return f"\n## Audit\n\n{lines}\n"

    def _timed(self, steps: Sequence[Step]) -> list[Step]:
        """Say when the first step began, and when the last one ended."""
        first, *others = steps
        *others, last = [first._replace(started=self.started), *others]
        return [*others, last._replace(ended=_now())]

    def tell(self) -> None:
        """Write the audit to its folder, and print it."""
        if self.folder is None or self.found is None or self.described is None:
            return
        with new_folder(self.folder) as folder:
            self.found.save(folder)
            if self.file is not None:
                # Beside one file, nothing else is written.
                files = files_beside({"train": [self.file]}, self.folder)
                write_croissant(self.described(files=files), folder)
        page = self.folder / "audit.html"
        print(f"\n{self.found}\n\nThe audit is written to {self.folder}: open {page}")
        if told := empty_told(self.described(files=[])):
            print(f"\n{told}")


def _now() -> str:
    """Return the time, as ISO 8601 has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _stated(source: Source, out: Output) -> dict[str, Any]:
    """Return what holds of the rows that were made as it does of their source."""
    kept = fields_of_card(source.metadata)
    # They were made from the source itself.
    kept.pop("wasDerivedFrom", None)
    return kept | ({"url": str(out)} if isinstance(out, HubOutput) else {})


def refuse_dry_audit(options: argparse.Namespace) -> None:
    """Raise where an audit is asked for of rows that are not written.

    Args:
        options: The parsed arguments of `add_audit`, with `dry_run`.

    Raises:
        InputError: Both are given.
    """
    if options.dry_run and options.audit is not None:
        raise InputError(
            f"{options.command}: --audit reads what was written, and --dry-run writes nothing; "
            "leave out one of them."
        )


def audit_request(
    options: argparse.Namespace, out: Output, columns: Sequence[str], **settings: Any
) -> ChangeAudit:
    """Read what is to be audited, and refuse what could not be, before any work is done.

    Args:
        options: The parsed arguments of `add_audit`.
        **settings: What `audit` is told besides; what is None is left out.

    Returns:
        The audit that is to be made, if one is asked for.

    Raises:
        InputError: A setting is wrong, the folder is taken, or the rows go to the standard output.
    """
    if options.audit is None:
        if getattr(options, "audit_label", None) is not None:
            raise InputError(f"{options.command}: --audit-label is for --audit; give both.")
        return ChangeAudit(None, {})
    if isinstance(out, FileOutput) and out.path is None:
        raise InputError(
            f"{options.command}: --audit reads what was written, which the standard output does "
            "not give back; name a file or a folder with --out."
        )
    place = out.path if isinstance(out, FileOutput) else out
    if isinstance(place, Path) and place.resolve() in [
        options.audit.resolve(), *options.audit.resolve().parents,
    ]:  # fmt: skip
        raise InputError(
            f"{options.command}: --audit {options.audit} lies in --out {out}, of whose rows it "
            "would be read as a part; name another folder."
        )
    refuse_taken_folder(options.audit)
    given = {name: value for name, value in settings.items() if value not in (None, (), [])}
    AuditSettings(columns=tuple(columns), **given)
    file = out.path if isinstance(out, FileOutput) else None
    settings = {"columns": tuple(columns), **given}
    return ChangeAudit(options.audit, settings, file, stated=stated_card(), started=_now())


def _written_rows(draft: Draft, columns: Sequence[str]) -> "Mapping[str, Dataset]":
    """Read what was written."""
    from datasets import Dataset

    if draft.file is not None and draft.file.path is not None:
        found: Mapping[str, Dataset] = load_input(
            [str(draft.folder / draft.file.path.name)], columns, None
        )
        return found
    files: dict[str, list[str]] = {}
    for file in data_files(draft.folder):
        files.setdefault(file.split, []).append(str(draft.folder / file.path))
    return {
        split: Dataset.from_parquet(own, split=split, keep_in_memory=True)
        for split, own in files.items()
    }
