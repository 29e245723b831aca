"""Homes as webs of linked things: the platform that serves one, its hub, and the explorer of others."""
