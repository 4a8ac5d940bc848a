"""The contract that every technique keeps, its configuration and its digest."""
