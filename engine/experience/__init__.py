"""Signifiers: what worked before, in a state like this."""
