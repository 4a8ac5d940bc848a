"""Verification of rewrites: whether a text says the same of somebody else, and nothing more.

`verifying` also undoes what was mended unasked, `word_for_word` tells the rewrites that need no
judge, `faults` reads the others as the original with other forms for its mentions and names what is
left, `people` tells who is the same person, `kin` whose ages are those of relatives.
"""

from fair_datasets.swap.verification.faults import Fault, Verdict
from fair_datasets.swap.verification.verifying import Restored, restore, verify, verify_all

__all__ = ["Fault", "Restored", "Verdict", "restore", "verify", "verify_all"]
