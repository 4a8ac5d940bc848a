"""Hiding packages from imports, as if they were not installed; for a process of its own too."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


def hiding(names: Sequence[str]) -> list[Any]:
    """Return the finders of modules, of which none finds these packages."""

    class Finder(PathFinder):
        """Finds what is installed, but for the hidden packages."""

        @classmethod
        def find_spec(
            cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
        ) -> ModuleSpec | None:
            """Find a module."""
            if fullname.partition(".")[0] in names:
                return None
            return PathFinder.find_spec(fullname, path, target)

    return [Finder if finder is PathFinder else finder for finder in sys.meta_path]
