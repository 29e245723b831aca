"""What programs say to the server: SPARQL, Turtle and JSON over HTTP."""
