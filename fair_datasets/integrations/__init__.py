"""Adapters for tools that people run already: one file for each tool, imported by that tool alone.

Nothing is imported here, and nothing in the package imports from here. An adapter needs the tool
that it adapts to; `fair_datasets/docs/engines.md` says how each is used.
"""
