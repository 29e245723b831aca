"""The WebSub hub of a home: who hears of what, and how it gets there."""
