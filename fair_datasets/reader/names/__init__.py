"""Given names of the world: who bears them, and of which cultures they are."""
