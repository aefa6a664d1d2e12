"""Separates a model's thoughts from the content of its reply."""

from __future__ import annotations

_OPEN, _CLOSE = "<think>", "</think>"


def split_thought(text: str) -> tuple[str, str]:
    """Return thought and content. The opening tag may be missing, because some templates put it into the prompt.

    >>> split_thought("<think>Which file?</think>Which file do you mean?")
    ('Which file?', 'Which file do you mean?')
    """
    head, closed, rest = text.partition(_CLOSE)
    if closed:
        return head.strip().removeprefix(_OPEN).strip(), rest.strip()
    if text.lstrip().startswith(_OPEN):
        return text.strip().removeprefix(_OPEN).strip(), ""
    return "", text
