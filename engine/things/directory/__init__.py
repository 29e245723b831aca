"""The directory of things, as W3C WoT Discovery has it: what came in when, what of it changed, and how it is found."""
