"""The Signifier Exposure Mechanism: agents see what matters to them, and can always see the rest."""
