"""Names, mail addresses and telephone numbers: of the user where a parameter is about them, of others otherwise."""

from __future__ import annotations

import re

from callwright.author.value_codes import code_maker, usable_examples, vary
from callwright.author.value_scene import DOMAINS, Scene, email_of
from callwright.author.value_subject import Maker, Subject

SELF = re.compile(r"\byour\b|\bmy\b|\bthe (?:current )?user's\b|\bof the user\b(?! to)|^user's\b|\brequester")
_PERSON_NOISE = frozenset(
    "name names email mail full first last given family phone mobile number address id the user main".split()
)


def _role(subject: Subject) -> tuple[str, bool]:
    """Return whose name or address this is: a word such as `recipient`, and whether it is the user's own."""
    role = next((word for word in subject.words if word not in _PERSON_NOISE), "")
    return role, bool(SELF.search(subject.described)) or "requester" in subject.words


def person_maker(subject: Subject) -> Maker:
    """Return how to draw a name, whole or in part."""
    role, is_self = _role(subject)
    if set(subject.words) & {"first", "given", "firstname"}:
        return lambda scene: scene.person(role, is_self=is_self).given
    if set(subject.words) & {"last", "family", "surname", "lastname"}:
        return lambda scene: scene.person(role, is_self=is_self).family
    return lambda scene: scene.person(role, is_self=is_self).full


def email_maker(subject: Subject) -> Maker:
    """Return how to draw the mail address of whoever plays the role."""
    role, is_self = _role(subject)
    examples = [example for example in usable_examples(subject.schema) if "@" in example]
    domains = tuple(example.rpartition("@")[2] for example in examples) or DOMAINS
    return lambda scene: email_of(scene.person(role, is_self=is_self), scene.rng.choice(domains))


def phone_maker(subject: Subject) -> Maker:
    """Return how to draw a telephone number of the scene's country, in the fictional 555 range."""
    pattern = subject.schema.get("pattern")
    examples = usable_examples(subject.schema)
    if isinstance(pattern, str):
        return code_maker(subject.schema, subject.words, subject.described, subject.about)
    if examples and not examples[0].startswith("+"):
        return lambda scene: vary(scene.rng.choice(examples), scene.rng)

    def make(scene: Scene) -> str:
        line = f"{scene.rng.randint(20, 99)} 555 {scene.rng.randint(100, 9999):04}"
        return f"+{scene.country.dial} {line}"

    return make
