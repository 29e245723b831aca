"""The directory of things over HTTP, as W3C WoT Discovery asks; what it does is `engine.things.directory`."""
