"""The pages for people: rendered on the server, with a little script."""
