"""The interface between the window and a capture: typed, so that stand-ins are held to it.

Captures have more (inspector.capture): what answers questions needs all of it, so they are asked by `ask` and `in_pieces`.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from core.device.findings import Finding
from core.device.past.moment import Moment
from core.spec.formats import Format
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.draws.vertices import Grid
from inspector.query.events.detail import EventDetail, FieldText
from inspector.query.objects.surfaces import SurfaceInfo
from inspector.tape import CallIndex
from inspector.timeline.budgets import Budgets
from inspector.timeline.events import Events
from inspector.timeline.frames import Frame

if TYPE_CHECKING:
    from inspector.capture import Query, QueryInPieces

Answer = TypeVar("Answer")


class TapeView(Protocol):
    """The API calls behind the events, and what is the matter with the file."""

    @property
    def notices(self) -> list[str]: ...

    @property
    def source_count(self) -> int: ...

    def source(self, number: int) -> Any: ...

    def call_index(self) -> CallIndex: ...


class StateView(Protocol):
    """Device state after an event (inspector.query.state.at_event.DeviceState)."""

    @property
    def changed(self) -> Iterable[Any]: ...

    def rows(self, stage: str | None = None) -> Sequence[Any]: ...

    def __getitem__(self, key: Any, /) -> Any: ...

    def __contains__(self, key: Any, /) -> bool: ...


class CaptureView(Protocol):
    """One capture to look at; what each member means is said in inspector.capture.Capture."""

    @property
    def path(self) -> Path: ...

    @property
    def title(self) -> str: ...

    @property
    def events(self) -> Events: ...

    @property
    def frames(self) -> Sequence[Frame]: ...

    @property
    def all_frames(self) -> Sequence[Frame]: ...

    @property
    def draws(self) -> np.ndarray: ...

    @property
    def tape(self) -> TapeView: ...

    @property
    def complete(self) -> bool: ...

    @property
    def held(self) -> tuple[int, int, int, int]: ...

    @property
    def budgets(self) -> Budgets: ...

    def close(self) -> None: ...

    def ask(self, query: Query[Answer], cancel: Cancel | None = None) -> Answer: ...

    def in_pieces(self, query: QueryInPieces[Answer]) -> Generator[float, None, Answer]: ...

    # where things are
    def check_event(self, event: int) -> int: ...

    def frame_of(self, event: int) -> int: ...

    def frame_at(self, event: int) -> Frame: ...

    def event_of_source_call(self, number: int) -> int: ...

    # events
    def name(self, event: int) -> str: ...

    def text(self, event: int) -> str: ...

    def event(self, event: int) -> EventDetail: ...

    def call_fields(self, event: int) -> tuple[FieldText, ...]: ...

    def primitives(self, event: int) -> int: ...

    @property
    def findings(self) -> list[Finding]: ...

    @property
    def shortages(self) -> tuple[Finding, ...]: ...

    # state
    def state(self, event: int) -> StateView: ...

    def render_target(self, event: int) -> int | None: ...

    # surfaces
    def image(
        self, event: int, surface: Where = ..., level: int = ..., face: int = ..., slice: int = ...,
        sample: int | None = ..., *, primitive: int | None = ..., cancel: Cancel | None = ...,
    ) -> np.ndarray: ...  # fmt: skip

    def stored(
        self, event: int, where: Where = "render_target", primitive: int | None = None, cancel: Cancel | None = None
    ) -> tuple[np.ndarray, Format]: ...

    def look(
        self, event: int, where: Where = "render_target", primitive: int | None = None, cancel: Cancel | None = None
    ) -> tuple[np.ndarray, np.ndarray, Format]: ...

    def resolve(self, event: int, where: Where, cancel: Cancel | None = None) -> tuple[int, int] | None: ...

    def stamp(self, event: int, surface: int, cancel: Cancel | None = None) -> Hashable: ...

    def surfaces(self, event: int, cancel: Cancel | None = None) -> list[SurfaceInfo]: ...

    def moment(self, event: int, primitive: int | None = None, cancel: Cancel | None = None) -> Moment: ...

    def prepare(self, cancel: Cancel | None = None) -> float: ...

    # vertices
    def vertices(self, event: int, which: str = "streams", cancel: Cancel | None = None) -> Grid: ...
