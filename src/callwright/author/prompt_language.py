"""The part of Jinja that prompts are written in: fields, conditions, loops over fields, and harmless filters.

A prompt may come from anybody. What could take memory or time without measure is no part of the language: powers,
products, widths, macros, assignments, inclusion and ranges. What is left is bounded by the sizes of file and fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from callwright.errors import BadDocument

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from jinja2.nodes import Node

_NODES: Final = frozenset(
    "Template Output TemplateData Name Const If For Getattr Getitem Slice Compare Operand And Or Not CondExpr Filter "
    "Test Tuple List Add Call".split()
)
_FILTERS: Final = frozenset(
    "capitalize count default d first float int join last length list lower round sort string title trim unique upper "
    "tojson reverse abs min max".split()
)
_METHODS: Final = frozenset("get items keys values".split())
"""Methods that may be called."""

MOST_LOOPS: Final = 3
"""Loops within loops."""

LONGEST: Final = 4_000_000
"""Characters of a rendered prompt."""


def compiled(source: str, *, where: str, environment: Environment) -> Template:
    """Return the template of a source. Raises BadDocument, naming the line, for what prompts cannot hold."""
    from jinja2 import TemplateSyntaxError

    try:
        tree = environment.parse(source)
        for line, what in _beyond(tree):
            raise BadDocument(f"{where}, line {line}: {what} cannot stand in a prompt. Take it out.")
        return environment.from_string(tree)
    except TemplateSyntaxError as error:
        raise BadDocument(f"{where}, line {error.lineno}: {error.message}. Fix the template.") from error
    except (RecursionError, SyntaxError, MemoryError) as error:
        raise BadDocument(f"{where}: nested too deeply. Flatten the template.") from error


@lru_cache(maxsize=256)
def template_of(source: str, where: str) -> Template:
    """Return the template that a prompt is rendered with; each is compiled once. Raises BadDocument as `compiled`."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return compiled(source, where=where, environment=environment)


def rendered(template: Template, fields: Mapping[str, Any], *, where: str) -> str:
    """Return the text of a template. Raises BadDocument where it fails on the fields or grows without measure."""
    from jinja2 import TemplateError

    parts: list[str] = []
    size = 0
    try:
        for part in template.generate(fields):
            parts.append(part)
            size += len(part)
            if size > LONGEST:
                raise BadDocument(f"{where}: over {LONGEST:,} characters long. Shorten what it repeats.")
    except BadDocument:
        raise
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise BadDocument(f"{where}: {type(error).__name__}: {error}. Fix the file.") from error
    return "".join(parts)


def _beyond(tree: Node) -> Iterator[tuple[int, str]]:
    """Yield what is no part of the language, with its line."""
    from jinja2 import nodes

    open_: list[tuple[Node, int]] = [(tree, 0)]
    while open_:
        node, loops = open_.pop()
        loops += isinstance(node, nodes.For)
        name = type(node).__name__
        is_method = isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr) and node.node.attr in _METHODS
        if name not in _NODES or (isinstance(node, nodes.Call) and not is_method):
            yield node.lineno, f"`{name}`"
        if isinstance(node, nodes.Filter) and node.name not in _FILTERS:
            yield node.lineno, f"the filter `{node.name}`"
        if loops > MOST_LOOPS or (isinstance(node, nodes.For) and node.recursive):
            yield node.lineno, f"a loop within {MOST_LOOPS} loops"
        open_ += [(child, loops) for child in node.iter_child_nodes()]
