"""What users hold: the builder and the compiled graph."""
