"""What people see of the server: pages made on the server, with a little script."""
