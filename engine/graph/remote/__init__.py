"""The store on a server: SPARQL 1.1 over HTTP, with a mirror of the home in this process."""
