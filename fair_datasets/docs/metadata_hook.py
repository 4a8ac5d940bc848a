"""What hatchling asks when the package is built: its readme and its addresses."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    """Give the metadata what `addresses.toml` has; links of the readme lead into the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields."""
        # By its path: the package itself is not installed while it is built.
        made = runpy.run_path(str(Path(self.root, "fair_datasets", "docs", "addresses.py")))
        text = made["outward"](Path(self.root, "README.md").read_text("utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = made["project_urls"]()
