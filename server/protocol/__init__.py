"""The interfaces for programs: SPARQL, Turtle and JSON over HTTP."""
