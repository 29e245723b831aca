"""Signifiers: affordances that worked before, in a similar state."""
