"""The WebSub hub of a home: subscriptions to its topics, and deliveries to subscribers."""
