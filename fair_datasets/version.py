"""The version of the library, part of the state of every technique."""

__version__ = "0.2.0"
