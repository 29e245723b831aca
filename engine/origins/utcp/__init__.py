"""Manuals of the Universal Tool Calling Protocol: HTTP APIs that are called as they are."""
