"""Real devices over HTTP: what is asked through a form of a Thing Description goes out, and the answer comes back."""
