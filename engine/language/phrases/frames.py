"""Segments into frames: which words fill which slot. One walk from left to right, a rule a kind of word."""

from __future__ import annotations

from dataclasses import replace

from engine.graph.terms import expand
from engine.language.phrases.particles import with_particle
from engine.language.phrases.segments import VERBS, Segment
from engine.language.phrases.slots import Frame, HowMuch, Noun, PlaceName, Quality, compound, described
from engine.language.phrases.temporal import extract
from engine.language.words import grammar
from engine.language.words.lexicon import PARTICLES, Entry, Lexicon, Role
from engine.language.words.spans import Span

_STRICT = grammar.ARTICLES | grammar.PREPOSITIONS | grammar.COPULAS | grammar.PRONOUNS
FAN, FAN_SPEED = Entry(Role.DEVICE, expand("hg:Fan")), Entry(Role.PROPERTY, expand("hg:FanSpeed"))
NOMINAL = (Role.DEVICE, Role.THING, Role.PROPERTY, Role.PLACE, Role.PLACE_CLASS)
NAMED = (Role.VALUE, Role.OPTION, Role.STATE, Role.COLOUR)
BESIDE = frozenset({"on", "in", "at", "near", "by", "over", "above", "under", "beside", "inside"})


def read_frame(segment: Segment, lexicon: Lexicon) -> Frame:
    """The frame of one segment, its time words apart from the rest."""
    rest, when = extract(segment)
    if rest is None:
        return Frame(segment.joint, segment.spans[0].start, segment.spans[-1].end, when=when)
    frame = _Reader(rest, lexicon).read()
    first = rest.spans[0]
    follows = len(rest.spans) > 1 and rest.spans[1].text in grammar.ARTICLES
    frame.imperative = follows and not first.entries and first.text not in grammar.KNOWN
    frame.only = first.text in grammar.ONLY_THAT and segment.joint in (",", ".", "but")
    frame.slight = any(grammar.SLIGHT & set(span.text.split()) for span in rest.spans)
    frame.when = when
    frame.inquiry = segment.inquiry
    return frame


class _Reader:
    """The walk. `preposition` is the last one seen and not yet used."""

    def __init__(self, segment: Segment, lexicon: Lexicon) -> None:
        self.spans = segment.spans
        self.lexicon = lexicon
        self.frame = Frame(joint=segment.joint, start=self.spans[0].start, end=self.spans[-1].end)
        self.preposition = ""
        self.determined = False
        self.modifiers: list[str] = []
        self.place = 0
        self.noun_at = -1
        self.noun_introduced = ""
        self.plain = False
        self.amount_at, self.quality_at, self.before_quality = -1, -1, 0

    def read(self) -> Frame:
        self._front_question()
        for place, span in enumerate(self.spans):
            self.place = place
            self._span(span)
        self._leave_modifiers()
        with_particle(self.frame, self.spans, self.lexicon)
        return self.frame

    def _front_question(self) -> None:
        if any(span.text == "possible" for span in self.spans):
            return
        first = self.spans[0].text
        if first == "do" and {s.text for s in self.spans[1:3]} & (grammar.SAME | {"it", "so"}):
            return  # "do the same in the study"
        if first in grammar.QUESTION_WORDS or (
            first in grammar.COPULAS | {"does", "did", "do", "has"} and len(self.spans) > 1
        ):
            self.frame.question = True

    def _span(self, span: Span) -> None:
        if span.text in ("up", "down") and self._is_direction(span):
            return
        if span.text == "back" and not span.entries and self._is_return():
            return
        if span.text == grammar.THOSE:
            self._one(span)
        elif span.number is not None or span.quoted:
            self._number(span)
        elif self._is_function(span):
            self._function(span)
        elif span.entries:
            self._phrase(span)
        else:
            self._unknown(span)

    def _is_return(self) -> bool:
        """ "Put it back" is a verb; "turn it back on" says no more than "turn it on"; "the back door" is a name."""
        follower = self.spans[self.place + 1] if self.place + 1 < len(self.spans) else None
        if self.determined and follower is not None and not follower.can_be(Role.VALUE, Role.STATE):
            return False
        entries = self.lexicon.phrasal(self.frame.verb.split()[0], "back") if self.frame.verb else ()
        if entries and (follower is None or follower.text not in PARTICLES):
            self.frame.verbs, self.frame.verb = entries, f"{self.frame.verb.split()[0]} back"
        return True

    def _is_direction(self, span: Span) -> bool:
        """Notes which way "up" and "down" point; whether they do no more than that ("up to 50", "down by half")."""
        self.frame.direction = self.frame.direction or grammar.MORE[span.text]
        follower = self.spans[self.place + 1] if self.place + 1 < len(self.spans) else None
        return follower is not None and (follower.number is not None or follower.text in ("to", "by"))

    def _is_function(self, span: Span) -> bool:
        """A function word, unless its place in the clause makes it a word of the lexicon ("lights on")."""
        if not span.entries:
            return span.text in grammar.KNOWN and not (span.text == "right" and self.determined)
        if span.text not in grammar.KNOWN or " " in span.text:
            return False
        if span.text in PARTICLES:
            return self._introduces(span)
        return span.text in _STRICT

    def _introduces(self, span: Span) -> bool:
        """Whether "on" or "in" is followed by its complement: a place, or a level ("on low", "in the kitchen")."""
        follower = self._next_content()
        if follower is None or span.text in ("off", "out", "open", "shut", "up", "down", "away", "back"):
            return False
        if follower.can_be(Role.PLACE, Role.PLACE_CLASS):
            return follower.text not in grammar.WHEREABOUTS  # "lights on upstairs"
        if self.frame.nouns and not follower.entries and follower.text not in grammar.KNOWN and follower.text.isalpha():
            return True
        said = self.frame.amounts or self.frame.nouns or self.frame.qualities
        if span.text == "on" and follower.can_be(Role.DEVICE, Role.THING) and said:
            return True
        named = follower.can_be(Role.VALUE, Role.OPTION) or follower.number is not None
        return (named and bool(self.frame.has_object)) or (
            follower.can_be(Role.DEVICE, Role.THING) and self._verb_is_full()
        )

    def _verb_is_full(self) -> bool:
        return any(e.role is Role.COMMAND for e in self.frame.verbs)

    def _next_content(self) -> Span | None:
        for place in range(self.place + 1, len(self.spans)):
            span = self.spans[place]
            if span.text not in grammar.ARTICLES | grammar.UNIVERSAL:
                return span
        return None

    def _stands_alone(self) -> bool:
        """Whether no noun follows."""
        return not any(span.can_be(*NOMINAL) or not span.text.isalpha() for span in self.spans[self.place + 1 :])

    def _function(self, span: Span) -> None:
        word, frame = span.text, self.frame
        if word in grammar.UNIVERSAL:
            frame.quantity = "all"
            if word == "both" and self._stands_alone():
                frame.pronoun, frame.quantity = frame.pronoun or "them", "plural"
        elif word in grammar.NEGATIONS:
            frame.negated = True
        elif word in grammar.EXCEPT:
            frame.exceptions.extend(span.restrictions)
        elif word in grammar.MORE:
            frame.direction = frame.direction or grammar.MORE[word]
        if word in grammar.ARTICLES:
            self._article(word)
        elif word in grammar.PREPOSITIONS:
            self._leave_modifiers()
            self.preposition = word
        elif word == "ones":
            self._one(span)
        elif word in grammar.PRONOUNS and not self._is_idiom():
            self._refer(word)
        frame.there = frame.there or word in grammar.THERE
        frame.here = frame.here or word in grammar.HERE
        frame.everywhere = frame.everywhere or word in grammar.EVERYWHERE

    def _refer(self, word: str) -> None:
        """Takes a pronoun; "all of *them*" are those that were spoken of, and not all that there is."""
        self.frame.pronoun = self.frame.pronoun or word
        if word in grammar.PLURAL_PRONOUNS and self.frame.quantity == "all":
            self.frame.quantity = "plural"

    def _is_idiom(self) -> bool:
        """ "While you are at it", "is it possible": a pronoun for nothing."""
        follower = self._next_content()
        return self.preposition in ("at", "than") or (follower is not None and follower.text == "possible")

    def _article(self, word: str) -> None:
        if not self.preposition:
            self._leave_modifiers()
        self.determined = True
        follower = self._next_content()
        bare = follower is None or (follower.text in grammar.KNOWN and not follower.entries)
        if word in grammar.PRONOUNS and (bare or word in ("its", "their")) and self.preposition != "than":
            self.frame.pronoun = self.frame.pronoun or word
        elif word in grammar.INDEFINITE and self.frame.quantity == "":
            self.frame.quantity = "any" if word in ("any", "some") else ""

    def _number(self, span: Span) -> None:
        if span.text == "one" and self._is_pronoun_one():
            self._one(span)
            return
        if self.preposition not in grammar.FROM:
            share = span.of_current
            self._add(HowMuch(self.preposition, span.text, number=span.number, unit=span.unit, of_current=share))
        self.preposition = ""
        self.determined = False

    def _one(self, span: Span) -> None:
        """Reads "one" as another of the last referent's kind, with the words before it as its name: "the right one"."""
        self.frame.pronoun = self.frame.pronoun or ("ones" if span.text == "ones" else "one")
        modifiers = tuple(self.modifiers)
        before = self.spans[self.place - 1]
        if self.frame.amounts and self.frame.amounts[-1].text == before.text:
            word = self.frame.amounts.pop().text
            self.plain, modifiers = word in grammar.PLAIN, (() if word in grammar.PLAIN else (word,))
        if modifiers or span.restrictions or self.plain:
            noun = Noun((), span.text, modifiers=modifiers, restrictions=span.restrictions, plain=self.plain)
            self.frame.nouns.append(noun)
        self.modifiers = []

    def _is_pronoun_one(self) -> bool:
        follower = self._next_content()
        before = self.spans[self.place - 1] if self.place else None
        counted = follower is not None and follower.can_be(Role.UNIT, Role.PROPERTY)
        return self.preposition not in ("to", "by", "at") and not counted and before is not None

    def _phrase(self, span: Span) -> None:
        for rule in (self._as_verb, self._as_value, self._as_noun, self._as_place, self._as_quality, self._as_state):
            if rule(span):
                return
        if not (self.frame.verbs and span.can_be(*VERBS)):
            self._unknown(span)

    def _as_verb(self, span: Span) -> bool:
        entries = span.having(*VERBS)
        if not entries or not self._verb_fits(span, entries):
            return False
        self.frame.verbs, self.frame.verb = entries, span.text
        self.preposition = ""
        return True

    def _verb_fits(self, span: Span, entries: tuple[Entry, ...]) -> bool:
        """A verb comes first in its clause; after "to" or a light verb a full one may follow."""
        frame = self.frame
        if frame.question and span.can_be(Role.STATE):
            return False
        if span.plural and span.can_be(Role.DEVICE, Role.THING):
            return False
        if frame.verbs:
            light = all(e.role is Role.LIGHT_VERB for e in frame.verbs)
            full = any(e.role is Role.COMMAND for e in entries)
            nominal = span.can_be(*NAMED, Role.DEVICE, Role.THING, Role.PROPERTY)
            infinitive = self.preposition == "to" and bool(frame.nouns)
            return (light or infinitive) and full and not nominal and not self.determined
        if self.determined or self.preposition:
            return self.preposition == "to" and not self.determined and self._is_infinitive(span, entries)
        follower = self.spans[self.place + 1] if self.place + 1 < len(self.spans) else None
        if span.can_be(Role.DEVICE) and follower is not None and follower.can_be(Role.PROPERTY):
            return False
        nominal = span.can_be(Role.DEVICE, Role.THING, Role.PROPERTY, Role.PLACE, *NAMED)
        said = frame.nouns or frame.qualities or frame.pronoun
        to_value = [s.number is not None for s in self.spans[self.place + 2 : self.place + 3]] == [True]
        goes = follower is not None and follower.text == "to" and to_value and not span.text.endswith("ing")
        return not nominal or (not said and (goes or self._object_follows()))  # "heat to 23"

    def _is_infinitive(self, span: Span, entries: tuple[Entry, ...]) -> bool:  # "I'd like the fan to stop"
        full = any(e.role is Role.COMMAND for e in entries)
        return not self.frame.has_object or (full and not span.can_be(*NAMED, Role.DEVICE, Role.THING, Role.PROPERTY))

    def _object_follows(self) -> bool:
        """Whether something that a verb could act on stands to the right."""
        words = grammar.PRONOUNS | grammar.UNIVERSAL
        return any(s.can_be(*NOMINAL) or s.text in words for s in self.spans[self.place + 1 :])

    def _as_value(self, span: Span) -> bool:
        entries = span.having(*NAMED, Role.RELATIVE, Role.SUPERLATIVE)
        nominal = span.can_be(Role.DEVICE, Role.THING, Role.PROPERTY, Role.PLACE, Role.PLACE_CLASS)
        introduced = self.preposition in grammar.TO | {"on", "in", "with", "by"}
        if not entries or (nominal and (not introduced or self.determined)):
            return False
        if self.preposition in grammar.FROM:
            self.preposition = ""
            return True
        if (
            span.text in grammar.PLAIN | grammar.SIZES
            and self._is_before_a_noun()
            and not self.lexicon.names(span.text)
        ):
            self.plain = span.text in grammar.PLAIN
            return True
        if self.preposition == "for" and self.frame.nouns and self.lexicon.names(span.text):
            self.frame.nouns[-1] = described(self.frame.nouns[-1], span.text)  # "the lamp for reading"
            self.preposition = ""
            return True
        if not introduced and self._is_of_a_name(span):
            self.modifiers.append(span.text)
            return True
        self._add(HowMuch(self.preposition, span.text, entries, of_current=span.of_current))
        self.preposition = ""
        self.determined = False
        return True

    def _is_of_a_name(self, span: Span) -> bool:
        """ "The left lamp": a word before a noun, after an article, that stands in names here."""
        return self._is_before_a_noun() and self.lexicon.names(span.text)

    def _is_before_a_noun(self) -> bool:
        follower = self.spans[self.place + 1] if self.place + 1 < len(self.spans) else None
        return self.determined and follower is not None and follower.can_be(Role.DEVICE, Role.THING)

    def _as_noun(self, span: Span) -> bool:
        entries = span.having(Role.THING, Role.DEVICE)
        if not entries:
            return False
        nouns, unknown = self.frame.nouns, tuple(self.modifiers)
        if nouns and self.preposition == "with" and FAN in entries and not nouns[-1].plural:
            return self._as_its_fan(span)
        if nouns and self.spans[self.place - 1].text == "'s" and self.noun_at == self.place - 2:
            nouns[-1] = Noun(entries, span.text, span.plural, head=span.head, whole=nouns[-1])  # "the fan-light's lamp"
        elif nouns and self.noun_at == self.place - 1 and not self.preposition:
            nouns[-1] = compound(nouns[-1], entries, span)
        elif nouns and self.preposition in BESIDE:
            modifiers = (*nouns[-1].modifiers, *unknown, *span.text.split())
            restrictions = (*nouns[-1].restrictions, *span.restrictions)
            nouns[-1] = replace(nouns[-1], modifiers=modifiers, restrictions=restrictions)
        else:
            nouns.append(
                Noun(entries, span.text, span.plural, unknown, unknown, span.head, span.restrictions, self.plain)
            )
            self.noun_introduced = self.preposition
        self.noun_at = self.place
        self.modifiers, self.preposition, self.determined = [], "", False
        return True

    def _as_its_fan(self, span: Span) -> bool:
        """ "The heater with the fan on low": not another device, but how fast its own fan turns."""
        if self.frame.amounts and self.amount_at == self.place - 1:
            self.frame.amounts[-1] = replace(self.frame.amounts[-1], about=(FAN_SPEED,))
        else:
            self.frame.qualities.append(Quality((FAN_SPEED,), span.text))
            self.quality_at, self.before_quality = self.place, len(self.frame.amounts)
        self.preposition, self.determined = "", False
        return True

    def _as_place(self, span: Span) -> bool:
        entries = span.having(Role.PLACE, Role.PLACE_CLASS)
        if not entries:
            return False
        modifiers = tuple(self.modifiers)
        if self.frame.nouns and self.noun_at == self.place - 1 and self.noun_introduced in grammar.INSIDE:
            modifiers = tuple(self.frame.nouns.pop().text.split())
        fronted = not (self.frame.verbs or self.frame.nouns or self.frame.qualities or self.frame.amounts)
        self.frame.fronted = self.frame.fronted or (fronted and self.preposition != "")
        introduced = bool(self.preposition) or (bool(self.frame.nouns) and self.noun_at == self.place - 1)
        every = span.plural or (self.place > 0 and self.spans[self.place - 1].text in grammar.UNIVERSAL)
        name = PlaceName(entries, span.text, every, modifiers, introduced, span.restrictions)
        self.frame.places.append(name)
        self.modifiers, self.preposition, self.determined = [], "", False
        return True

    def _as_quality(self, span: Span) -> bool:
        entries = span.having(Role.PROPERTY)
        if not entries:
            return False
        if len(self.frame.amounts) > 1 and self.amount_at == self.place - 1:
            self.frame.amounts[-1] = replace(self.frame.amounts[-1], about=entries)  # "26 with low fan speed"
        else:
            self.frame.qualities.append(Quality(entries, span.text, span.owner))
            self.quality_at, self.before_quality = self.place, len(self.frame.amounts)
        self._leave_modifiers(known=True)
        self.preposition = self.preposition if self.preposition in grammar.TO else ""
        self.determined = False
        return True

    def _add(self, how: HowMuch) -> None:
        """One more amount; after an earlier one, that of the property right before it ("26, the fan speed on low")."""
        between = [span.text for span in self.spans[self.quality_at + 1 : self.place]]
        beside = self.quality_at >= 0 and all(text in grammar.PREPOSITIONS for text in between)
        if self.frame.qualities and beside and self.before_quality:
            how = replace(how, about=self.frame.qualities.pop().entries)
        self.frame.amounts.append(how)
        self.amount_at = self.place

    def _as_state(self, span: Span) -> bool:
        entries = span.having(Role.STATE, Role.RELATIVE, Role.COMPLAINT, Role.UNIT)
        if not entries:
            return False
        if self._is_of_a_name(span):  # "the dining blind"
            self.modifiers.append(span.text)
            return True
        self.frame.amounts.append(HowMuch(self.preposition, span.text, entries))
        self.preposition = ""
        return True

    def _unknown(self, span: Span) -> None:
        if span.text.isalnum() and (span.text not in grammar.SIZES or self.lexicon.names(span.text)):
            self.modifiers.append(span.text)

    def _leave_modifiers(self, *, known: bool = False) -> None:
        """Words that no noun followed: part of a name, or a place that nobody knows, where a preposition says so."""
        named = all(self.lexicon.knows(word) for word in self.modifiers)
        if self.modifiers and self.frame.nouns and self.preposition in BESIDE and named and not known:
            self.frame.nouns[-1] = described(self.frame.nouns[-1], *self.modifiers)
        elif self.modifiers and self.preposition in grammar.INSIDE and self.determined and not known:
            self.frame.places.append(PlaceName((), " ".join(self.modifiers)))
        elif self.modifiers:
            self.frame.unknown.extend(self.modifiers)
        self.modifiers = []
