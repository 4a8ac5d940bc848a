"""Reading CSV and JSON files so that each value reads back as it was written.

What `datasets` makes of them loses digits, zeros and signs: "00123" becomes 123, an integer beyond
2**63 a float, and a text that looks like a date a timestamp.
"""

from fair_datasets.cli.exact.loading import loaded

__all__ = ["loaded"]
