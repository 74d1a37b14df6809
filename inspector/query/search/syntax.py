"""The filter language over events: from text to a tree.  The meaning of each part: `inspector.query.search.masks`.

    filter   = item*                            a list as in RenderDoc: any of the plain items; every +item; no -item
    item     = ["+" | "-"] either
    either   = both ("or" both)*                also ||
    both     = not ("and" not)*                 also &&
    not      = "not" not | one                  also !
    one      = "(" filter ")" | "$" name ["(" ... ")"] | name "(" ... ")" | name op value | word | "words"
    op       = == != < <= > >= ~ &              ~ looks for text, & for bits; spaces around it or not

Columns count from 1.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from core.errors import BadInput

_OPERATOR = re.compile(r"\s*(==|!=|<=|>=|<|>|~|&(?!&))\s*")
_WORD = re.compile(r'[^\s"()<>!~&|=]+(?:=(?!=)[^\s"()<>!~&|=]*)*')
_VALUE = re.compile(r'"([^"]*)"|[^\s"()&|]+(?:\|[^\s"()&|]+)*')
_JOINT = re.compile(r"(and\b|or\b|&&|\|\|)", re.I)
_NOT = re.compile(r"(not\b|!(?!=))\s*", re.I)
_REGEX = re.compile(r"\s*/((?:[^/\\]|\\.)*)/([a-z]*)\s*")


@contextmanager
def quietly() -> Iterator[None]:
    """Compiles expressions such as "[[" without Python's warning that it may mean something else one day."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


class FilterError(BadInput):
    """A filter that makes no sense: what is wrong from `column` on, for `length` characters."""

    def __init__(self, column: int, sentence: str, length: int = 1) -> None:
        super().__init__(f"column {column}: {sentence}")
        self.column, self.sentence, self.length = column, sentence, max(length, 1)


@dataclass(frozen=True, slots=True)
class Word:
    """Events whose text has these words in it."""

    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Regex:
    """Events whose text fits."""

    pattern: str
    flags: str
    column: int


@dataclass(frozen=True, slots=True)
class Compare:
    """`name op value`; `quoted`: the value stood in quotation marks."""

    name: str
    op: str
    value: str
    column: int
    value_column: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call, without the spaces around it."""

    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Call:
    """`name(arguments)` or `$name(arguments)`.  Of `$action(...)` and the like `condition` is the argument as a tree."""

    name: str
    arguments: tuple[Argument, ...]
    column: int
    dollar: bool = False
    condition: Node | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """Items of a list: if there are `must`, all of them, else any of `plain` (all events without any); none of `never`."""

    plain: tuple[Node, ...]
    must: tuple[Node, ...]
    never: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Both:
    """All parts hold."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of the parts holds."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Node


Node = Word | Regex | Compare | Call | Terms | Both | Either | Not
CONDITIONED = ("action", "event", "draw", "clear", "copy", "present", "dispatch", "state")
"""$calls whose argument is a condition; more spellings of an event's kind: `masks`."""
LONGEST = 20_000  # characters
DEEPEST = 40  # conditions within each other


def parse(text: str) -> Node:
    """The tree of a filter.  FilterError says where it goes wrong and what was expected."""
    if len(text) > LONGEST:
        raise FilterError(LONGEST + 1, f"a filter has at most {LONGEST:,} characters, not {len(text):,}")
    parser = _Parser(text)
    tree = parser.terms()
    if parser.at < len(text):
        parser.fail('unmatched ")"')
    return tree


def notes(tree: Node) -> list[str]:
    """What a reader may not expect of a filter that is right."""
    found: list[str] = []
    for node in walk(tree):
        if isinstance(node, Terms) and node.must and node.plain:
            found.append("words without + are ignored when +words are present")
        if isinstance(node, Call) and node.name.casefold() == "finding":
            found.append("finding() omits rules that need drawing until all findings have been queried: Findings()")
    return found


def walk(node: Node) -> list[Node]:
    """A tree's nodes, itself first."""
    if isinstance(node, Terms):
        children: tuple[Node, ...] = (*node.plain, *node.must, *node.never)
    elif isinstance(node, (Both, Either)):
        children = node.parts
    elif isinstance(node, Not):
        children = (node.part,)
    elif isinstance(node, Call) and node.condition is not None:
        children = (node.condition,)
    else:
        children = ()
    return [node, *(each for child in children for each in walk(child))]


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Around what stands within something else."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"conditions may be nested at most {DEEPEST} deep")
        yield
        self.depth -= 1

    def fail(self, sentence: str, at: int | None = None, length: int = 1) -> NoReturn:
        raise FilterError((self.at if at is None else at) + 1, sentence, length)

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What stands here, if it fits."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def terms(self) -> Node:
        """Items until the end, or a closing parenthesis."""
        groups: dict[str, list[Node]] = {"": [], "+": [], "-": []}
        self.skip()
        while self.peek() not in ("", ")"):
            sign = self.peek() if self.peek() in "+-" else ""
            if sign:
                self.at += 1
                if self.peek() in ("", ")") or self.peek().isspace():
                    self.fail(f"a word or a condition must follow {sign}", self.at - 1)
            groups[sign].append(self.either())
            self.skip()
        plain, must, never = (tuple(groups[sign]) for sign in ("", "+", "-"))
        return plain[0] if len(plain) == 1 and not must and not never else Terms(plain, must, never)

    def either(self) -> Node:
        parts = [self.both()]
        while self._joint(("or", "||")):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def both(self) -> Node:
        parts = [self.negation()]
        while self._joint(("and", "&&")):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _joint(self, words: tuple[str, str]) -> bool:
        """Takes one of the words if it comes next."""
        before = self.at
        self.skip()
        found = self.take(_JOINT)
        if found and found[1].lower() in words:
            self.skip()
            if self.peek() in ("", ")"):
                self.fail(f"a word or a condition must follow {found[1]}", found.start(), len(found[1]))
            return True
        self.at = before
        return False

    def negation(self) -> Node:
        self.skip()
        start = self.at
        if found := self.take(_NOT):
            if self.peek() in ("", ")"):
                self.fail(f"a word or a condition must follow {found[1]}", start, len(found[1]))
            with self.deeper():
                return Not(self.negation())
        return self.one()

    def one(self) -> Node:
        start = self.at
        if self.peek() == "(":
            return self._group()
        if self.peek() == '"':
            end = self.text.find('"', start + 1)
            if end < 0:
                self.fail("missing closing quotation mark")
            self.at = end + 1
            return Word(self.text[start + 1 : end], start + 1)
        dollar = self.peek() == "$"
        self.at += dollar
        found = self.take(_WORD)
        if not found:
            what = (
                "$ needs a name: $draw(), $action(), $param(...)"
                if dollar
                else f"unexpected {self.peek() or 'end of the filter'}"
            )
            self.fail(what, start)
        if self.peek() == "(" or dollar:
            return self._call(found[0], start, dollar)
        operator = self.take(_OPERATOR)
        if operator is None:
            return Word(found[0], start + 1)
        return self._compare(found[0], operator[1], start)

    def _group(self) -> Node:
        start = self.at
        self.at += 1
        with self.deeper():
            inner = self.terms()
        if self.peek() != ")":
            self.fail('missing ")"', start)
        self.at += 1
        return inner

    def _compare(self, name: str, op: str, start: int) -> Compare:
        place = self.at
        found = self.take(_VALUE)
        if not found:
            self.fail(f"a value must follow {op}: {name} {op} ...", place)
        quoted = found[1] is not None
        return Compare(name, op, found[1] if quoted else found[0], start + 1, place + 1, quoted)

    # ---- calls
    def _call(self, name: str, start: int, dollar: bool) -> Node:
        if self.peek() != "(":
            return Call(name, (), start + 1, dollar)
        opened = self.at
        self.at += 1
        if dollar and name.lower() == "regex":
            return self._regex(opened, start)
        if dollar and name.lower() in CONDITIONED:
            inner = self.at
            with self.deeper():
                condition = self.terms()
            self._close(opened)
            empty = not self.text[inner : self.at - 1].strip()
            return Call(name, (), start + 1, dollar, None if empty else condition)
        arguments = self._arguments(opened)
        return Call(name, arguments, start + 1, dollar)

    def _close(self, opened: int) -> None:
        if self.peek() != ")":
            self.fail('missing ")"', opened)
        self.at += 1

    def _regex(self, opened: int, start: int) -> Regex:
        found = self.take(_REGEX)
        if not found:
            self.fail("$regex needs /expression/ or /expression/i", opened + 1)
        self._close(opened)
        import regex  # only filters with expressions need it: 20 ms

        try:
            with quietly():
                re.compile(found[1])  # the language is Python's; `regex` is who can stop
                regex.compile(found[1])
        except (re.error, regex.error) as error:
            self.fail(f"invalid regular expression: {error.msg}", found.start(1) + (error.pos or 0))
        except (OverflowError, RecursionError):
            self.fail("this regular expression is too large", found.start(1))
        if set(found[2]) - {"i"}:
            self.fail(f"/{found[2]}: the only flag is i", found.start(2), len(found[2]))
        return Regex(found[1], found[2], start + 1)

    def _arguments(self, opened: int) -> tuple[Argument, ...]:
        """The texts between commas until the parenthesis closes."""
        found: list[Argument] = []
        begin, depth, quoted = self.at, 0, False
        while self.at < len(self.text):
            here = self.text[self.at]
            quoted ^= here == '"'
            depth += (here in "([") - (here in ")]") if not quoted else 0
            if not quoted and ((here == "," and not depth) or depth < 0):
                found.append(self._argument(begin, self.at))
                begin = self.at + 1
            if depth < 0:
                self.at += 1
                return () if len(found) == 1 and not found[0].text else tuple(found)
            self.at += 1
        self.fail('missing ")"', opened)

    def _argument(self, begin: int, end: int) -> Argument:
        text = self.text[begin:end]
        return Argument(text.strip(), begin + len(text) - len(text.lstrip()) + 1)
