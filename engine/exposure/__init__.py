"""The Signifier Exposure Mechanism: agents see of all that is offered what matters to them, and can always see the rest."""
