"""Exploration of other homes through the server, and the callbacks that their hubs call."""
