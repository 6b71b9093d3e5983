"""The frozen nouns that every other room may import."""
