"""Real devices over HTTP: carries out operations by the forms of a Thing Description."""
