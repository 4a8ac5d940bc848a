"""What an upload sends, and how it is told."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from fair_datasets.system.checks import listed_few

Content = Path | bytes
"""A file that is sent, or what is in it."""


class SentFile(NamedTuple):
    """A file of an upload.

    Attributes:
        path: Where it lies in the repository.
        size: Its size in bytes.
    """

    path: str
    size: int


class Upload(NamedTuple):
    """What was sent to the Hub, or would be.

    Attributes:
        url: The page of the repository, or of the pull request.
        files: The files; those that the Hub had already are among them.
        sent: Whether they were sent; False for a dry run.
        left_out: The paths of files that lie beside them and are not sent.
    """

    url: str
    files: tuple[SentFile, ...]
    sent: bool
    left_out: tuple[str, ...] = ()

    def describe(self) -> str:
        """List the files in lines of text, with their sizes in bytes.

        Returns:
            The lines.

        Example:
            >>> upload = Upload("https://hf.co/ada/m", (SentFile("config.json", 12),), sent=False)
            >>> print(upload.describe())
                      12  config.json
            1 file, 12 bytes, would be sent to https://hf.co/ada/m
        """
        lines = [f"{file.size:>12,}  {file.path}" for file in self.files]
        files = "1 file" if len(lines) == 1 else f"{len(lines)} files"
        total = sum(file.size for file in self.files)
        verb = "are at" if self.sent else "would be sent to"
        left_out = [f"Left out: {listed_few(self.left_out)}"] if self.left_out else []
        return "\n".join([*lines, f"{files}, {total:,} bytes, {verb} {self.url}", *left_out])


def sizes(files: Mapping[str, Content]) -> tuple[SentFile, ...]:
    """Describe files that are sent.

    Args:
        files: Path in the repository to a file or to its content.

    Example:
        >>> sizes({"config.json": b"{}"})
        (SentFile(path='config.json', size=2),)
    """
    return tuple(
        SentFile(path, len(content) if isinstance(content, bytes) else content.stat().st_size)
        for path, content in sorted(files.items())
    )
