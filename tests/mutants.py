"""Small changes of a module's source, each of which some test should notice.

A mutant replaces one piece of the text and leaves the rest as it is, so that lines keep their numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OTHER_SIGN: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
DROPPED = (ast.AugAssign, ast.Expr, ast.Raise, ast.Continue, ast.Break, ast.Delete)


@dataclass(frozen=True)
class Mutant:
    """One change: bytes `start` to `end` of the source become `text`; `line` counts from 1."""

    line: int
    start: int
    end: int
    text: str
    kind: str

    def applied(self, source: str) -> str:
        """Return the source with the change."""
        raw = source.encode()
        return (raw[: self.start] + self.text.encode() + raw[self.end :]).decode()

    def shown(self, source: str) -> str:
        """Return the first line that the change touches, as it becomes."""
        return self.applied(source).splitlines()[self.line - 1].strip()


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a module, by place; those of annotations and inside f-strings are left out."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, is_condition in _nodes(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        found += [Mutant(node.lineno, start, end, text, kind) for text, kind in _changes(node)]
        if is_condition and isinstance(node, ast.Name | ast.Call | ast.Attribute):
            found.append(Mutant(node.lineno, start, end, f"(not {ast.unparse(node)})", "condition"))
    return sorted(found, key=lambda one: (one.start, one.end, one.text))


def _nodes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, bool]]:
    """Yield what runs, and whether it is a condition; positions inside f-strings are not to be trusted."""
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        if name == "keywords" and isinstance(node, ast.ClassDef):  # frozen=True and the like
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.JoinedStr) or not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child, name == "test" and not isinstance(node, ast.Assert)
            yield from _nodes(child)


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the texts that may stand in place of a node, each with its kind."""
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for place, sign in enumerate(ops):
                if type(sign) in SWAPPED:
                    changed = [*ops[:place], SWAPPED[type(sign)](), *ops[place + 1 :]]
                    yield f"({ast.unparse(ast.Compare(left, changed, others))})", "comparison"
        case ast.BoolOp(op=sign, values=values):
            other = ast.Or() if isinstance(sign, ast.And) else ast.And()
            yield f"({ast.unparse(ast.BoolOp(other, values))})", "and/or"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"(bool({ast.unparse(operand)}))", "not"
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OTHER_SIGN:
            yield f"({ast.unparse(ast.BinOp(left, OTHER_SIGN[type(sign)](), right))})", "sign"
        case ast.Constant(value=bool(value)):
            yield str(not value), "constant"
        case ast.Constant(value=int(value)):
            yield str(value + 1), "constant"
            yield f"({value - 1})", "constant"
        case ast.Return(value=value) if value is not None and ast.unparse(value) != "None":
            yield "return None", "return"
        case ast.Expr(value=ast.Constant()):
            return
        case _ if isinstance(node, DROPPED):
            yield "pass", "dropped"
