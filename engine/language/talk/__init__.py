"""Turns of a conversation: pronouns, ellipses, corrections, and replies to questions."""
