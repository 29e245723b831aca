"""The house for agents: what is offered to them, under which tokens, over which protocols."""
