"""Errors in methods that override Qt's, as `paintEvent` and `data`: reported as any other, instead of ending the process.

Where Python calls Qt and Qt calls such a method, PySide (6.10 and later) writes the name of the method in front of the error's
first argument.  Python before 3.12 makes the exception of an error of its own (an index out of range, a division by zero) only
when a handler wants it: until then there is a bare text, in which PySide reads arguments that are not there.  So every method
that overrides one of Qt's gets a handler, which makes the exception and lets it pass.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType, MethodDescriptorType
from typing import Any

from PySide6.QtCore import QObject

MADE_LATE = sys.version_info < (3, 12)


def handle_errors() -> None:
    """In all classes that are made from now on, where Python needs it."""
    if MADE_LATE:
        QObject.__init_subclass__ = classmethod(_handle_errors_of)  # type: ignore[method-assign, assignment]


def _handle_errors_of(cls: type[QObject], **keywords: Any) -> None:
    super(QObject, cls).__init_subclass__(**keywords)
    bases = [base for base in cls.__mro__ if base is not object]
    for base in bases:
        for name, method in list(vars(base).items()):
            if isinstance(method, FunctionType) and not hasattr(method, "_handles") and _is_of_qt(name, bases):
                setattr(base, name, _handled(method))


def _is_of_qt(name: str, bases: list[type]) -> bool:
    return any(isinstance(vars(base).get(name), MethodDescriptorType) for base in bases)


def _handled(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def run(*arguments: Any, **keywords: Any) -> Any:
        try:
            return method(*arguments, **keywords)
        except BaseException:  # makes the exception
            raise

    run._handles = True  # type: ignore[attr-defined]
    return run
