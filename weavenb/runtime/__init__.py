"""The run: planning, the loop that asks, the drivers that act."""
