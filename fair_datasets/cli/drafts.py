"""What a command writes its rows and its card to, wherever they are to lie in the end."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets import interrupts
from fair_datasets.cli.file_outputs import FileOutput, new_file, write_file
from fair_datasets.cli.outputs import Output, whole_folder, write_parquet

if TYPE_CHECKING:
    from datasets import Dataset, Features


@dataclass(frozen=True)
class Draft:
    """What is written, until all went well.

    Attributes:
        folder: Where it lies until then.
        file: The one file that it becomes; None if it becomes a folder or is published.
    """

    folder: Path
    file: FileOutput | None = None

    def write(self, rows: "Dataset", split: str) -> None:
        """Write the rows of a split."""
        if self.file is None:
            write_parquet(rows, self.folder, split)
        else:
            write_file(rows, self.file, self.folder)

    def gather(self, features: "Mapping[str, Features]") -> None:
        """Write the one file, if there is one, from the Parquet files of its one split.

        Args:
            features: Split name to its columns.
        """
        from datasets import Dataset

        for split, columns in features.items() if self.file is not None else ():
            files = sorted(str(file) for file in (self.folder / "data").glob("*.parquet"))
            cache = self.folder / ".cache"
            # What a run that was killed left of it may be broken, and would be read all the same.
            shutil.rmtree(cache, ignore_errors=True)
            rows = Dataset.from_parquet(files, split=split, features=columns, cache_dir=str(cache))
            self.write(rows, split)
            del rows
            shutil.rmtree(cache)

    def write_files(self, files: Mapping[str, Path]) -> None:
        """Write what lies beside the rows, such as lexicons; a single file has nothing beside."""
        for name, file in files.items() if self.file is None else ():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, self.folder / name)

    def write_card(self, text: str) -> None:
        """Write the card; a single file has none."""
        if self.file is None:
            # A name that is not UTF-8 on the disk is written with its bytes escaped.
            card = self.folder / "README.md"
            card.write_text(text, encoding="utf-8", errors="backslashreplace")


@contextmanager
def drafted(out: Output, *, replace: bool = False) -> Iterator[Draft]:
    """Give something to write to, which becomes the output when all went well.

    Args:
        out: The folder, the file or the standard output, or the configuration on the Hub.
        replace: Whether a folder that lies there is replaced.

    Yields:
        The draft; of it nothing is left if anything fails, an interrupt included, but for what
        the standard output has taken.

    Raises:
        InputError: Something lies there already and is not to be replaced, or the Hub refused.
    """
    if not isinstance(out, FileOutput):
        with whole_folder(out, replace=replace) as folder:
            yield Draft(folder)
        return
    with new_file(out) as folder:
        yield Draft(folder, out)
        interrupts.obey()
