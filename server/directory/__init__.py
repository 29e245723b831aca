"""The directory of things over HTTP, as W3C WoT Discovery asks: the routes to `engine.things.directory`."""
