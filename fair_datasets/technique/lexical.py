"""What techniques share that read the terms of demographic axes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from fair_datasets.lexicons import Lexicon, load_lexicon
from fair_datasets.lexicons.lexicon import exceptions_file
from fair_datasets.lexicons.shipped import (
    KNOWN_PEOPLE,
    is_people_list,
    people_files,
    protected,
    read_people,
)
from fair_datasets.reader.load import checked_reader, reader_files, refuse_changed_reader
from fair_datasets.reader.matching.pipeline import checked_pipeline, pipeline_files, refuse_changed
from fair_datasets.reader.matching.table import TermTable, build_table, read_lexicon, table_files
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid
from fair_datasets.system.portable import State, file_states
from fair_datasets.technique.contract import TextTechnique


@dataclass(frozen=True, kw_only=True)
class LexicalTechnique(TextTechnique):
    """A technique that reads the terms of demographic axes in the text columns of a row.

    Attributes:
        columns: The text column or columns; see `TextTechnique`.
        roles: Whose texts of a conversation are read; none for everybody's.
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file; for some
            techniques several of them.
        names: Whether the names are read that have the axis's attributes. None for first names of
            men and women alone, which are paired one to one.
        protect: Names of people who are left alone ("Lily Allen"): wherever one stands in a row,
            its words are no names in that row. `known_people`, and the path of a `.tsv` file with
            a column `name`, are lists of people of public life: the whole row that names one of
            them is left alone.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.
        reader: A token classifier, as for `load_reader`, that tells names and pronouns; None for
            the network that ships.
    """

    axis: tuple[str, ...] | str = "gender"
    names: bool | None = None
    protect: tuple[str, ...] | str = ()
    pipeline: str | None = None
    reader: str | None = None

    takes_several_axes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        object.__setattr__(self, "axis", self._checked_axis())
        if self.names is not None:
            names = checks.switch(self.names, parameter="names")
            object.__setattr__(self, "names", names)
        object.__setattr__(self, "protect", self._checked_protect())
        object.__setattr__(self, "pipeline", checked_pipeline(self.pipeline))
        reader = checked_reader(self.reader, self.pipeline)
        object.__setattr__(self, "reader", reader)
        super().__post_init__()

    def _checked_axis(self) -> tuple[str, ...] | str:
        """Return the axis as a string, or several as a tuple; or raise."""
        if not isinstance(self.axis, list | tuple):
            return checks.axis_name(self.axis)
        axes = tuple(checks.axis_name(axis) for axis in self.axis)
        # One file under two spellings of its path is one axis.
        files = {Path(axis).resolve() if axis.endswith(".tsv") else axis for axis in axes}
        if not axes or len(files) < len(axes):
            raise invalid(f"axis must name at least one axis and none twice, but it is {axes!r}.")
        if len(axes) > 1 and not self.takes_several_axes:
            raise invalid(
                f"axis must be one axis, but it is {axes!r}; make one technique for each."
            )
        return axes if len(axes) > 1 else axes[0]

    def _checked_protect(self) -> tuple[str, ...]:
        """Return what is protected, sorted; or raise."""
        names = protected(self.protect)
        for name in names:
            if not tokenize(name).words:
                raise invalid(f"protect must list names of people, but {name!r} has no letters.")
        return tuple(sorted({name.strip() for name in names}))

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons, with the names where they are read; the reader, and the pipeline."""
        files = pipeline_files(self.pipeline)
        files |= reader_files(self.reader)
        for axis in self.axes:
            files |= table_files(axis, names=self.names)
        return files | people_files(self.protect)

    @property
    def axes(self) -> tuple[str, ...]:
        """The demographic axes."""
        return (self.axis,) if isinstance(self.axis, str) else self.axis

    def lexicon(self, axis: str) -> Lexicon:
        """Return the lexicon of an axis, as it was when the technique was made.

        Raises:
            InputError: The lexicon has changed since.
        """
        return read_lexicon(axis, self.digests_of(axis))

    def digests_of(self, axis: str) -> tuple[tuple[str, str], ...]:
        """Return the digests of the lexicons of one axis: its own, and the names that it reads."""
        files = table_files(axis, names=self.names) | people_files(self.protect)
        return tuple(pair for pair in self.digests if pair[0] in files)

    def table(self, axis: str) -> TermTable:
        """Return the table of the terms of an axis.

        Raises:
            InputError: A lexicon, the reader or the pipeline has changed since it was made.
        """
        return self.read_axis(axis).table

    def counting_table(self, axis: str) -> TermTable:
        """Return the table by which the mentions in rows are counted: no name in it is protected.

        Whom a row mentions does not depend on whether it may be rewritten.

        Raises:
            InputError: A lexicon, the reader or the pipeline has changed since it was made.
        """
        if all(map(is_people_list, self.protect)):
            # `RowCounts` counts what is left alone as its row names one of their people.
            return self.table(axis)
        files = table_files(axis, names=self.names)
        digests = tuple(pair for pair in self.digests if pair[0] in files)
        return build_table(axis, digests, (), self.pipeline, self.reader)

    def read_axis(self, axis: str) -> "ReadAxis":
        """Return what was read of an axis.

        Raises:
            InputError: A lexicon, the reader or the pipeline has changed since it was made.
        """
        # All is read once per process; whether the files are the same is asked each time.
        key = (axis, self.digests, self.names, self.protect, self.pipeline, self.reader)
        known = _read.get(key)
        if known is None or known.states != file_states(known.paths):
            files = [*(table_files(axis, names=self.names) | people_files(self.protect)).values()]
            paths = tuple(str(path) for file in files for path in (file, exceptions_file(file)))
            # Taken before the files are read, so that what changes meanwhile is read again.
            now = file_states(paths)
            table = self._checked_table(axis)
            known = ReadAxis(table, load_lexicon(axis), paths, now)
            if self.pipeline is None and self.reader is None:
                if len(_read) >= _MOST_READ:
                    _read.clear()
                _read[key] = known
        return known

    def _checked_table(self, axis: str) -> TermTable:
        """Return the table of the terms of an axis, whose files are as they were; or raise."""
        digests = self.digests_of(axis)
        read_lexicon(axis, digests)
        read_people(self.protect, dict(digests))
        if self.pipeline is not None:
            refuse_changed(self.pipeline, self.digests)
        refuse_changed_reader(self.reader, self.digests)
        return build_table(axis, digests, tuple(self.protect), self.pipeline, self.reader)


@dataclass(frozen=True, kw_only=True)
class LeavesKnownPeople(LexicalTechnique):
    """A technique that rewrites what is told of people, and leaves alone what is known to be true.

    Attributes:
        protect: Names of people who are left alone, besides the rows that name somebody of the list
            `known_people`; `()` for nobody.

    The others are those of `LexicalTechnique`.
    """

    protect: tuple[str, ...] | str = (KNOWN_PEOPLE,)

    def _checked_protect(self) -> tuple[str, ...]:
        """Return what is protected, with the known people unless it is nobody; or raise."""
        names = super()._checked_protect()
        return tuple(sorted({*names, KNOWN_PEOPLE})) if names else ()


@dataclass(frozen=True, eq=False)
class ReadAxis:
    """What was read of an axis, and the files that it was read from as they were.

    Attributes:
        table: The table of its terms.
        lexicon: Its lexicon.
        paths: The files, and where those would lie that they lack.
        states: What `file_states` told of them.
    """

    table: TermTable
    lexicon: Lexicon
    paths: tuple[str, ...]
    states: tuple[State | str | None, ...]


_MOST_READ = 32
_read: dict[tuple[Any, ...], ReadAxis] = {}
