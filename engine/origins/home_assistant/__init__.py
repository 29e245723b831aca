"""Home Assistant: its entities as things, its services as actions, its events as state."""
