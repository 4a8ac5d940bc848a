"""Long work by shards: each is there whole or not at all, and what is there is not done again."""
