"""The durable future: rules, waits and proposals in the graph, woken by time and by what changes."""
