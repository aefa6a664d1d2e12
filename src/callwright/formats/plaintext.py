"""Converts Markdown and HTML of descriptions into plain text."""

from __future__ import annotations

import html
import re

LONGEST_READ = 20_000
"""Most characters read of a description; the rest is ignored."""

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[[^\]\n]{1,200}\]:[^\n]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(-->|\Z)", re.DOTALL)
_BREAK = re.compile(r"<(br|p|/p|li|div|/div|tr|h[1-6]|/h[1-6])\b[^<>]{0,300}>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(a|abbr|b|big|blockquote|center|code|dd|details|dl|dt|em|font|hr|i|img|kbd|li|mark|ol|pre|s|samp|small|span|"
    r"strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul|var)\b[^<>]{0,500}>",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\](?:\([^()\n]{0,1000}\)|\[[^\[\]\n]{0,200}\])")
_AUTOLINK = re.compile(r"<(https?://[^<>\s]{1,1000})>")
_CODE = re.compile(r"(`{1,3})((?:[^`\n]|\n(?!\s*\n)){1,500})\1")
_BOLD = re.compile(r"\*\*((?:[^*\n]|\n(?!\s*\n)){1,500})\*\*|(?<!\w)__([^_\n]{1,500})__(?!\w)")
_ITALIC = re.compile(r"(?<![\w*])\*([^*\s][^*\n]{0,500})\*(?![\w*])|(?<!\w)_([^_\s][^_\n]{0,500})_(?!\w)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|[0-9]{1,3}[.)])[ \t]+")
_RULE = re.compile(r"[ \t]*([-*_=|:][ \t]*){3,}")
_ENDED = re.compile(r"[.!?:;,…](?:[\"')\]]*)$")


def plain(text: str) -> str:
    """Return `text` as one line without markup.

    >>> plain("Lists **all** [files](https://x.org) of a `folder`.\\n\\n- by name\\n- by <b>date</b>")
    'Lists all files of a folder. by name; by date'
    """
    text = text[:LONGEST_READ].replace("\r\n", "\n")
    for pattern, new in ((_FENCE, ""), (_DEFINITION, ""), (_COMMENT, " "), (_BREAK, "\n\n"), (_AUTOLINK, r"\1")):
        text = pattern.sub(new, text)
    text = _TAG.sub("", text)
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))  # twice: an image may stand inside a link
    return html.unescape(_joined(_unmarked(text).split("\n")))


def describe(summary: str, description: str) -> str:
    """Return one plain description from an operation's summary and description, the summary first.

    >>> describe("Update file", "Updates a file.")
    'Update file. Updates a file.'
    """
    first, rest = plain(summary), plain(description)
    if not first or _bare(rest).startswith(_bare(first)):
        return rest
    if not rest or _bare(first).startswith(_bare(rest)):
        return first
    return f"{first} {rest}" if _ENDED.search(first) else f"{first}. {rest}"


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters of `text`, in whole sentences if possible."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    end = max(head.rfind(mark) for mark in (". ", "! ", "? "))
    if end >= limit // 4:
        return head[: end + 1]
    return head[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def _unmarked(text: str) -> str:
    """Remove emphasis and code marks; text in a code span keeps its asterisks and underscores."""
    pieces, start = [], 0
    for span in _CODE.finditer(text):
        pieces += [_unstressed(text[start : span.start()]), span.group(2).strip()]
        start = span.end()
    return "".join([*pieces, _unstressed(text[start:])])


def _unstressed(text: str) -> str:
    for pattern in (_BOLD, _ITALIC):
        text = pattern.sub(lambda found: found.group(1) or found.group(2), text)
    return text


def _joined(lines: list[str]) -> str:
    """Join lines into one: paragraphs end as sentences, items of a list are separated by semicolons."""
    out, broken, listed = "", False, False
    for line in lines:
        bullet, heading = _BULLET.match(line), _HEADING.match(line)
        mark = bullet or heading
        words = " ".join((line[mark.end() :] if mark else line).split())
        if not words or _RULE.fullmatch(line):
            broken = True
            continue
        if _ENDED.search(out):
            out += " "
        elif out and bullet:
            out += "; " if listed else ": "
        elif out:
            out += ". " if broken or heading else " "
        out += words
        listed = bullet is not None or (listed and not broken)
        broken = heading is not None
    return out


def _bare(text: str) -> str:
    return text.rstrip(" .!").casefold()
