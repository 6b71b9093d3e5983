"""The whole debugger without a face."""
