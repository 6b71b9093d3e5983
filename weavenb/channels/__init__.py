"""Channels: how the writes of one step become the next value of a key."""
