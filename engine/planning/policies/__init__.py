"""Policies of a home, checked against predicted states, and effects that people regret."""
