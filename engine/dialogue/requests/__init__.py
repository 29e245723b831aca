"""A request and its record: the journal, the memory of a conversation, consent, and proposed plans."""
