"""The house for agents: tools, signifiers, tokens and the protocols MCP, A2A and UTCP."""
