"""The measures as modules of `evaluate`: their base, and loading those that ship, offline."""
