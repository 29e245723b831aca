"""The Signifier Exposure Mechanism: shows agents the signifiers relevant to them; the rest on demand."""
