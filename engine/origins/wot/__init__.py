"""Things of the Web of Things that are registered by the address of their description."""
