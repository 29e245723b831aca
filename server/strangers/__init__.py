"""Queries of people whom nobody knows: answered by processes that can be killed, from a copy of the store."""
