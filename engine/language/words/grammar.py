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
    {"it", "him", "her", "she", "he", "them", "they", "one", "ones", "its", "their", "those", "these", "that", "this",
     "former", "latter"}
)  # fmt: skip
PLURAL_PRONOUNS = frozenset({"them", "they", "those", "these", "their", "ones"})
THERE = frozenset({"there"})
HERE = frozenset({"here"})
FORMER_LATTER = frozenset({"former", "latter"})
EVERYWHERE = frozenset({"everywhere", "throughout"})
THOSE = "those ones"
"""Stands for a group that was spoken of: "the warmer of those two"."""
SAME = frozenset({"same", "likewise", "ditto", "identical", "identically", "equally", "alike"})

TO = frozenset({"to", "at", "as", "into", "=", "onto", "until"})
BY = frozenset({"by"})
OF = frozenset({"of"})
FROM = frozenset({"from"})
PLACE_PREPOSITIONS = frozenset(
    {"in", "on", "at", "inside", "within", "of", "for", "from", "by", "near", "around", "over", "across"}
)
INSIDE = frozenset({"in", "on", "at", "inside", "within", "from", "across"})
PREPOSITIONS = (
    TO | BY | OF | FROM | PLACE_PREPOSITIONS | frozenset({"with", "without", "about", "than", "using", "through"})
)
EXCEPT = frozenset({"except", "excepting", "excluding", "besides", "bar", "barring"})

JOINTS = frozenset({"and", "then", "&", "plus", "but", "while", "also", "afterwards", "next", "additionally", "or"})
BREAKS = frozenset({".", "!", "?", ";"})
PAUSES = frozenset({",", ":", "-", "–", "—", "/", "|", "•", "*"})

NEGATIONS = frozenset({"not", "wrong", "don't", "dont", "never", "no", "without", "doesn't", "isn't"})
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

EXCEPTIONS = EXCEPT | {
    "apart from", "aside from", "other than", "but not", "not counting", "not including", "but for", "except for",
    "save",
    "with the exception of", "save for", "leaving out", "minus", "but leave", "but keep", "without counting", "all but",
}  # fmt: skip
ALONE = frozenset(
    {"alone", "out", "be", "as", "it", "they", "is", "are", "was", "were", "untouched", "one", "ones", "'s"}
)  # fmt: skip
INCLUSIONS = frozenset({"including", "counting"})
INCLUDED = frozenset({"included", "inclusive"})
ONLY = frozenset({"those", "ones", "the"})
AMONG = frozenset({"of", "among", "amongst", "between"})
SPARING = frozenset({"leave", "spare", "skip", "ignore"})
WHEREABOUTS = frozenset({"upstairs", "downstairs", "outside", "inside", "outdoors", "indoors"})
MEASURING = frozenset(
    {"running", "reading", "set", "turned", "drawing", "using", "consuming", "pulling", "showing", "having"}
)  # fmt: skip
PERSONS = {"nobody": False, "noone": False, "no-one": False, "empty": False, "somebody": True, "someone": True,
           "anybody": True, "anyone": True, "people": True}  # fmt: skip
OCCUPIED = {"empty": False, "unoccupied": False, "vacant": False, "deserted": False, "occupied": True}
RELATIVE_PRONOUNS = frozenset({"that", "which", "who"})
WHATEVER = frozenset({"whatever", "everything", "anything", "whichever", "something", "nothing"})
HAVING = frozenset({"has", "have", "having"})
NEGATED_COPULAS = frozenset({"isn't", "aren't", "wasn't", "weren't"})
NOW = frozenset({"completely", "fully", "entirely", "totally"}) | frozenset(
    {"right", "now", "currently", "still", "already", "just", "actually", "presently", "really", "moment"}
)
SET = frozenset({"set", "turned", "running", "going", "put", "stuck", "left", "sitting", "in", "the"})
DETECTED = frozenset(
    {"is", "are", "being", "been", "was", "has", "picked", "up", "detected", "sensed", "seen", "sees", "see", "reports",
     "report", "reporting", "detects", "shows", "says", "reads", "registers", "there", "noticed", "found", "measured"}
)  # fmt: skip
EXTREMES = {"highest": 1, "most": 1, "largest": 1, "greatest": 1, "biggest": 1, "maximum": 1, "lowest": -1, "least": -1,
            "smallest": -1, "minimum": -1, "fewest": -1}  # fmt: skip
COMPARATORS = {
    "above": ">", "over": ">", "beyond": ">", "exceeding": ">", "more than": ">", "greater than": ">",
    "higher than": ">", "bigger than": ">", "in excess of": ">", "past": ">",
    "below": "<", "under": "<", "beneath": "<", "less than": "<", "lower than": "<", "fewer than": "<",
    "smaller than": "<", "short of": "<",
    "at least": ">=", "no less than": ">=", "not less than": ">=", "not below": ">=", "not under": ">=",
    "at most": "<=", "no more than": "<=", "not more than": "<=", "not above": "<=", "not over": "<=",
}  # fmt: skip
OR_MORE = {"more": ">=", "above": ">=", "over": ">=", "higher": ">=", "up": ">=", "greater": ">=", "brighter": ">=",
           "less": "<=", "below": "<=", "under": "<=", "lower": "<=", "fewer": "<=", "down": "<="}  # fmt: skip

LEADS = frozenset(
    {"tell me", "let me know", "do you know", "can you tell me", "could you tell me", "would you tell me", "i wonder",
     "can you tell", "could you tell", "do you happen to know", "any idea", "i want to know", "i'd like to know",
     "i would like to know", "check", "check if", "check whether", "see if", "find out", "find out if", "say",
     "remind me",
     "please tell me", "do tell", "hey", "ok", "okay", "so", "and", "please", "well", "tell us", "i'm wondering",
     "can you check", "could you check", "can you check if", "could you check if", "can you see if", "whether", "if",
     "but", "also", "then", "um", "uh", "by any chance", "now", "right", "i was wondering", "just", "give me",
     "show me"}
)  # fmt: skip
LISTING = frozenset({"list", "name", "show", "display", "enumerate"})
COUNTING = frozenset({"count", "number"})
WHAT = frozenset({"what", "which", "what's", "whats", "whose"})
WHERE = frozenset({"where", "where's"})
AVERAGE = frozenset({"average", "mean", "typical"})
TOTAL = frozenset({"total", "sum", "combined", "altogether", "overall"})
TELLING = frozenset({"it's", "there's", "that's"})
"""What tells how it is, and asks nothing, unless there is a question mark."""
ASKING_VERBS = COPULAS | NEGATED_COPULAS | frozenset(
    {"has", "have", "had", "does", "do", "did", "hasn't", "haven't", "doesn't", "don't", "any"}
)  # fmt: skip
ASKING = frozenset({"is", "are", "was", "were", "does", "did", "has"})
OWNERS = frozenset({"i", "we", "you", "anyone", "anybody", "somebody", "someone", "they"})
LEAVING = frozenset({"leave", "left", "forget", "forgot", "keep", "kept", "own", "have", "got", "possess"})
EXISTING = frozenset(
    {"there", "here", "exist", "exists", "present", "available", "installed", "have", "we", "own", "do", "i", "are",
     "is", "does", "got", "has", "you", "in", "the", "all", "total", "altogether", "a"}
)  # fmt: skip
REACHING = frozenset({"reached", "hit", "got", "come", "attained", "at", "met", "up"})
ROOMLIKE = frozenset({"spot", "place", "part", "area", "corner"})

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
        "today", "later", "tonight", "tomorrow", "schedule", "completely", "entirely", "totally", "fully", "goes",
        "even",
    }
)  # fmt: skip

PLAIN = frozenset({"regular", "normal", "ordinary", "standard", "usual", "plain"})
SIZES = frozenset({"little", "small", "big", "slight", "old", "nice"})
"""Before a noun, nothing that something is to be set to."""
ONLY_THAT = frozenset({"just", "only", "solely", "merely", "simply"})
PART_OF = frozenset({"part", "bit", "side", "portion", "component", "section", "element", "piece", "end"})
"""After a noun, what it is of something else: "just the fan part"."""

SLIGHT = frozenset({"bit", "little", "touch", "tad", "smidge", "smidgen", "slightly", "somewhat", "fraction"})

CONTRACTIONS = frozenset(
    {"i'm", "we're", "they're", "you're", "i've", "we've", "they've", "he's", "she's", "we'll", "they'll"}
)
"""Subjects with their verb: no slips for other words."""
KNOWN = (
    CONTRACTIONS |
    SLIGHT |
    ARTICLES | UNIVERSAL | PRONOUNS | THERE | HERE | EVERYWHERE | SAME | PREPOSITIONS | EXCEPT | JOINTS | NEGATIONS
    | COPULAS | AUXILIARIES | QUESTION_WORDS | RESPECTIVELY | FILLERS | frozenset(MORE)
    | FORMER_LATTER | RELATIVE_PRONOUNS | WHATEVER | frozenset(PERSONS) | NEGATED_COPULAS
    | frozenset({"above", "below", "under", "beneath", "beyond", "apart", "aside", "wherever", "than", "whose"})
    | AVERAGE | TOTAL | COUNTING | SPARING | HAVING | OWNERS | (REACHING - {"at", "met"}) | (DETECTED - {"up"})
    | MEASURING | frozenset({"alone", "between", "difference", "rest", "others", "leaving", "keep", "kept", "yet"})
    | frozenset({"anywhere", "nowhere", "whenever", "unless", "provided", "providing", "soon", "whether"})
    | frozenset({"many", "much", "long", "often", "since", "ago", "while", "their"})
    | frozenset({"after", "before", "until", "am", "pm", "o'clock", "noon", "midnight", "past", "quarter", "half"})
)  # fmt: skip
