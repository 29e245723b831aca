"""Phrases into meanings: kinds of property, places, selections, tasks and intents of this home."""
