"""Recognises questions for reasons: "why?", "why did you do that?", about the turn before."""

from __future__ import annotations

import re

_REST = (
    "and but so just now then please tell me exactly on earth for did do does have has had are is was were would "
    "will you it that this not didn't don't haven't wasn't isn't done do doing happen happened refuse refused ask asked"
)
_WHY = re.compile(
    rf"(?:(?:{'|'.join(_REST.split())})\s+)*(?:why|how come|what for)(?:\s+(?:{'|'.join(_REST.split())}))*"
)


def is_why(text: str) -> bool:
    """Whether a text asks for the reason of the turn before, and names nothing else."""
    words = re.sub(r"[^\w']+", " ", text.casefold().replace("’", "'")).strip()
    return _WHY.fullmatch(words) is not None
