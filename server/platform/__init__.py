"""The home as a web of workspaces and artifacts, for other agents."""
