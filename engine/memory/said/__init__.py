"""Statements of people, read as facts: habits, occasions, and their owners."""
