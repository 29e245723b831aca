"""OAuth 2.1 for hosts that ask for it: who gives tokens is found out, a token is got, and shown to that host alone."""
