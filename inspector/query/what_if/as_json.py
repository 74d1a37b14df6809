"""Edits as JSON values: complete, images and code included."""

from __future__ import annotations

import base64
import dataclasses
from dataclasses import asdict
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.query.what_if.edits import KINDS, Edit


def to_values(edits: tuple[Edit, ...]) -> list[dict[str, Any]]:
    """One dictionary per edit."""
    return [{"kind": next(k for k, c in KINDS.items() if c is type(one)), **_plain(asdict(one))} for one in edits]


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: base64.b64encode(v).decode("ascii") if isinstance(v, bytes) else _listed(v) for name, v in fields.items()}


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def from_values(values: Any) -> tuple[Edit, ...]:
    """The inverse of `to_values`; BadInput for what is not a list of edits."""
    if not isinstance(values, list):
        raise BadInput("a what-if is a list of edits")
    return tuple(_edit(value, number) for number, value in enumerate(values))


TYPES: dict[str, Any] = {"int": int, "int | None": int | None, "str": str, "bytes": bytes}
"""What the fields of edits may be, by their annotations; those of state keys and values are checked when they are used."""


def _fits(value: Any, annotation: str) -> bool:
    """Whether a field may have the value; True and False are no numbers: as an index they mean something else."""
    return isinstance(value, TYPES.get(annotation, object)) and not (annotation in TYPES and isinstance(value, bool))


def _edit(value: Any, number: int) -> Edit:
    try:
        fields = dict(value)
        cls = KINDS[fields.pop("kind")]
        for name in ("data", "png"):
            if name in fields:
                fields[name] = base64.b64decode(fields[name], validate=True)
        for name in ("key", "value"):
            if isinstance(fields.get(name), list):
                fields[name] = tuple(fields[name])
        for field in dataclasses.fields(cls):
            if field.name in fields and not _fits(fields[field.name], str(field.type)):
                raise TypeError(f"{field.name} is not of type {field.type}")
        key = fields.get("key", "")
        if not all(isinstance(word, str | int) for word in (key if isinstance(key, tuple) else (key,))):
            raise TypeError(f"unknown state {key!r}")
        made: Edit = cls(**fields)
        return made
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"edit {number} is invalid: {error}") from error
