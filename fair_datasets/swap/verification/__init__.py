"""Verification of rewrites: whether a text says the same of somebody else, and nothing more.

`restoring` undoes what was mended unasked, `alignment` reads the rewrite as the original with other
forms for its mentions, `people` tells who is the same person, `faults` names what is left.
"""

from fair_datasets.swap.verification.faults import Fault, Verdict
from fair_datasets.swap.verification.verifying import Restored, restore, verify, verify_all

__all__ = ["Fault", "Restored", "Verdict", "restore", "verify", "verify_all"]
