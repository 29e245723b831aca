"""Records: hashed once, never changed, copied with changes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from engine.language.chart.joining.frames import Clause, Phrase
from engine.language.words.records import replace


def test_a_copy_with_changes_is_equal_to_one_made_so() -> None:
    clause = Clause(verb="open", phrases=(Phrase(text="door"),))
    hash(clause)
    changed = replace(clause, phrases=(Phrase(text="gate"),))
    made = Clause(verb="open", phrases=(Phrase(text="gate"),))
    assert changed == made
    assert hash(changed) == hash(made)
    assert clause != changed
    assert clause.phrases == (Phrase(text="door"),)


def test_where_it_stands_in_the_text_makes_no_other_phrase() -> None:
    assert Phrase(text="door", start=1, end=2) == Phrase(text="door", start=4, end=5)
    assert hash(Phrase(text="door", start=1, end=2)) == hash(Phrase(text="door", start=4, end=5))


def test_a_record_is_not_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Clause().verb = "open"  # type: ignore[misc]
