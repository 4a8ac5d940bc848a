"""What a command writes its rows and its card to, wherever they are to lie in the end."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.cli.file_outputs import FileOutput, write_file
from fair_datasets.jobs.results import rows_of
from fair_datasets.system.files import naming

if TYPE_CHECKING:
    from datasets import Features


@dataclass(frozen=True)
class Draft:
    """What is written, until all went well.

    Attributes:
        folder: Where it lies until then.
        file: The one file that it becomes; None if it becomes a folder or is published.
    """

    folder: Path
    file: FileOutput | None = None

    def gather(self, features: "Mapping[str, Features]") -> None:
        """Write the one file, if there is one, from the Parquet files of its one split."""
        for split, columns in features.items():
            if self.file is not None:
                write_file(rows_of(self.folder, split, columns), self.file, self.folder)

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
            with naming(card):
                card.write_text(text, encoding="utf-8", errors="backslashreplace")
