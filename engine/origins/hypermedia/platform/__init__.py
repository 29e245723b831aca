"""The home as a hypermedia platform: its resources and their representations."""
