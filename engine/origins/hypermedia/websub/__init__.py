"""W3C WebSub, both sides: the hub of a home, and its subscriptions at the hubs of others."""
