"""Answers to questions about the state, planned without any effect."""
