"""The directory of things, as in W3C WoT Discovery: times of registration, events of change, listing and search."""
