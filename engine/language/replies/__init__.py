"""Words out: answers, replies, and how a rule is told."""
