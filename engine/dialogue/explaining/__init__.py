"""Reasons, told from the journal, and the outcomes of a run."""
