"""Exploring other homes through the server, and the callbacks at which their hubs tell what is new."""
