"""Servers of the Model Context Protocol: what they list, and how it is called, in both revisions of the protocol."""
