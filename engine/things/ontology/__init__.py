"""The ontology as flat records, and the classes of things that follow from it."""
