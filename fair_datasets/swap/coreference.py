"""What the techniques share that may ask a model of coreference whose the mentions of a row are."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from fair_datasets.reader.matching.rows import LexicalTechnique
from fair_datasets.reader.person import PersonReader, checked_person_model, load_person_model
from fair_datasets.system import checks
from fair_datasets.system.pretrained import folder_files


@dataclass(frozen=True, kw_only=True)
class AsksCoreference(LexicalTechnique):
    """A technique that may ask a model whose the mentions of a row are.

    Attributes:
        coreference: The folder or Hub id of a model that `fair-datasets train person` wrote; None
            for what is sure without one.

    The others are those of `LexicalTechnique`.
    """

    coreference: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        checks.settle(self, checked_person_model, "coreference", optional=True)
        super().__post_init__()

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons, the reader, and the files of a model that lies in a folder."""
        files = super().resources()
        if self.coreference is None:
            return files
        return {**files, **folder_files(str(self.coreference), owner=type(self).__name__)}

    def persons(self) -> PersonReader | None:
        """Return the model that tells whose mention it is; None where there is none."""
        if self.coreference is None:
            return None
        return load_person_model(str(self.coreference), self.digests, owner=type(self).__name__)
