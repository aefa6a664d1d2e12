"""Texts whose lines begin with labels, such as `User: Hello`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callwright.errors import BadDocument


def labelled_lines(text: str, labels: Mapping[str, str], *, where: str) -> Iterator[tuple[str, str]]:
    """Yield each label by its name in `labels` with what follows it; lines without a label go on with the one before.

    Raises BadDocument where a text begins without one.

    >>> list(labelled_lines("A: one\\ntwo\\nB: x", {"A": "a", "B": "b"}, where="text"))
    [('a', 'one\\ntwo'), ('b', 'x')]
    """
    label, said = "", list[str]()
    for line in text.split("\n"):
        name, colon, rest = line.partition(":")
        if colon and name in labels:
            if label:
                yield label, "\n".join(said).strip()
            label, said = labels[name], [rest]
        elif label:
            said.append(line)
        elif line.strip():
            raise BadDocument(
                f"{where}: the text begins with {line!r:.60}. It must begin with a label: {', '.join(labels)}"
            )
    if label:
        yield label, "\n".join(said).strip()
