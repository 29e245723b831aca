"""HTTP in, calls of the engine out. Nothing is decided here."""
