"""The past: stretches of time, changes in them, and its state set again."""
