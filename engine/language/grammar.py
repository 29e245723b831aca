"""The function words of English that the grammar knows. All other words are data (`ontology/words/`)."""

from __future__ import annotations

ARTICLES = frozenset(
    {
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "their",
        "his",
        "her",
        "its",
        "this",
        "that",
        "these",
        "those",
        "some",
        "any",
    }
)
UNIVERSAL = frozenset({"all", "every", "each", "both", "everything", "everyone", "whole", "entire"})
INDEFINITE = frozenset({"a", "an", "some", "any"})
PRONOUNS = frozenset(
    {"it", "him", "her", "she", "he", "them", "they", "one", "ones", "its", "their", "those", "these", "that", "this"}
)
PLURAL_PRONOUNS = frozenset({"them", "they", "those", "these", "their", "ones"})
THERE = frozenset({"there"})
HERE = frozenset({"here"})
EVERYWHERE = frozenset({"everywhere", "throughout"})
SAME = frozenset({"same", "likewise", "ditto"})

TO = frozenset({"to", "at", "as", "into", "=", "onto", "until"})
BY = frozenset({"by"})
OF = frozenset({"of"})
FROM = frozenset({"from"})
PLACE_PREPOSITIONS = frozenset(
    {"in", "on", "at", "inside", "within", "of", "for", "from", "by", "near", "around", "over"}
)
INSIDE = frozenset({"in", "on", "at", "inside", "within", "from"})
PREPOSITIONS = (
    TO | BY | OF | FROM | PLACE_PREPOSITIONS | frozenset({"with", "without", "about", "than", "using", "through"})
)
EXCEPT = frozenset({"except", "excepting", "excluding", "besides", "bar"})

JOINTS = frozenset({"and", "then", "&", "plus", "but", "while", "also", "afterwards", "next", "additionally", "or"})
BREAKS = frozenset({".", "!", "?", ";"})
PAUSES = frozenset({",", ":", "-", "–", "—", "/", "|", "•", "*"})

NEGATIONS = frozenset({"not", "don't", "dont", "never", "no", "without", "doesn't", "isn't"})
COPULAS = frozenset({"is", "are", "be", "was", "were", "am", "it's", "that's", "there's", "being", "been"})
AUXILIARIES = frozenset(
    {
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "can",
        "could",
        "will",
        "would",
        "should",
        "may",
        "might",
        "must",
        "shall",
    }
)
QUESTION_WORDS = frozenset(
    {"what", "which", "who", "where", "when", "how", "why", "what's", "whats", "where's", "how's", "who's", "whose"}
)
RESPECTIVELY = frozenset({"respectively", "correspondingly"})
MORE = {"up": 1, "more": 1, "further": 0, "higher": 1, "down": -1, "less": -1, "lower": -1}

FILLERS = frozenset(
    {
        "please", "kindly", "hey", "ok", "okay", "hi", "hello", "thanks", "thank", "you", "i", "we", "want", "wanna",
        "need", "like", "just", "me", "us", "let's", "now", "right", "too", "again", "um", "uh", "er", "well", "so",
        "really", "maybe", "perhaps", "actually", "quickly", "immediately", "automatically", "respectively", "there",
        "with", "if", "possible", "love", "mind", "go", "ahead", "sure", "for", "currently", "current", "present",
        "further", "bit", "little", "only", "exactly", "about", "around", "approximately", "roughly", "still",
        "own", "same", "time", "first", "second", "last", "finally", "as", "would've", "i'd", "i'll",
        "gonna", "going", "start", "home's", "way", "all-in", "darling", "dear", "buddy", "mate", "already", "instead",
        "together", "good", "bye", "yet", "single", "damn", "bloody",
        "simultaneously", "value", "setting", "level", "amount", "when", "once", "oh", "yes", "yeah",
    }
)  # fmt: skip

SLIGHT = frozenset({"bit", "little", "touch", "tad", "smidge", "smidgen", "slightly", "somewhat", "fraction"})

KNOWN = (
    SLIGHT |
    ARTICLES | UNIVERSAL | PRONOUNS | THERE | HERE | EVERYWHERE | SAME | PREPOSITIONS | EXCEPT | JOINTS | NEGATIONS
    | COPULAS | AUXILIARIES | QUESTION_WORDS | RESPECTIVELY | FILLERS | frozenset(MORE)
    | frozenset({"after", "before", "until", "am", "pm", "o'clock", "noon", "midnight", "past", "quarter", "half"})
)  # fmt: skip
