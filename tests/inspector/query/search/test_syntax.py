"""The grammar of the filter language as a table, and where a bad filter is wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest

import inspector
from core.errors import BadInput
from inspector.query.search.syntax import (
    FilterError,
    parse,
)


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("a b", "(a b)"),
        ("a  and   b", "a && b"),
        ("a or b and c", "a || (b && c)"),
        ("not a and b", "(not a) and b"),
        ("!a", "not a"),
        ("ALPHAREF>128", "ALPHAREF > 128"),
        ("android", '"android"'),
        ("SRCBLEND=ONE", '"SRCBLEND=ONE"'),
        ("$draw( )", "$draw()"),
    ],
)
def test_spellings_that_mean_the_same(text: str, same_as: str) -> None:
    assert _bare(parse(text)) == _bare(parse(same_as))


def _bare(node: Any) -> Any:
    """A tree without columns."""
    if isinstance(node, tuple):
        return tuple(map(_bare, node))
    if not hasattr(node, "__dataclass_fields__"):
        return node
    fields = [name for name in node.__dataclass_fields__ if "column" not in name]
    return type(node).__name__, *(_bare(getattr(node, name)) for name in fields)


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("(a", 1, 'missing ")"'),
        ("a)", 2, "unmatched"),
        ("x >", 4, "a value must follow >"),
        ("$", 1, "needs a name"),
        ("+ a", 1, "must follow +"),
        ("$regex(a)", 8, "/expression/"),
        ("$regex(/(/)", 9, "regular expression"),
        ("$regex(/a/x)", 11, "only flag"),
        ('b "abc', 3, "quotation mark"),
        ("a and", 3, "must follow and"),
        ("not", 1, "must follow not"),
        ("> 3", 1, "unexpected"),
        ("touches(1,2", 8, 'missing ")"'),
        ("ALPHAREF > lunch", 12, "expected a number"),
        ("ALPHAFUNC == LUNCH", 14, "expected NEVER, LESS"),
        ("a LUNCH == 3", 3, "unknown state or column"),
        ("lunch(3)", 1, "expected one of changed()"),
        ("$lunch()", 1, "expected one of $action"),
        ("$draw(flags & Lunch)", 15, "unknown flag"),
        ("frame == x", 10, "needs a number"),
        ("op == LUNCH", 7, "a token's name"),
        ("changed(FOG*, LUNCH)", 15, "unknown state"),
        ("uses(999)", 6, "no surface or buffer 999"),
        ("setby()", 1, "setby(event)"),
        ("$param(x)", 8, "name: text"),
        ("text > 3", 1, "==, != or ~"),
        ("a touches(9999, 3)", 3, "outside surface"),
        ("touches(a, b)", 1, "touches(x, y)"),
    ],
)
def test_bad_filters_say_where(room: inspector.Capture, text: str, column: int, says: str) -> None:
    with pytest.raises(FilterError, match=re.escape(says)) as told:
        room.ask(inspector.Search(text))
    assert told.value.column == column
    assert isinstance(told.value, BadInput)
