"""Savers: the contract and those weavenb brings."""
