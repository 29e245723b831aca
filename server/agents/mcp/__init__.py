"""The house as an MCP server, of both revisions."""
