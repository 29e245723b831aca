"""The house as an A2A agent, of both revisions."""
