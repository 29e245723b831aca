"""Records of people: facts, days, digests, habits, offers, and readings they agreed to."""
