"""The commands of the window, one row each, read by menus, the list of keys, the palette, widgets and the manual.

What a command does is in `ui.actions.deeds`; with a `where`, in the widget that has the keyboard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ui.keys.overlays import COMMANDS as OVERLAYS
from ui.keys.overlays import OF_NAME

FILES, WALK, FIND, LOOK, ASK, PANELS, WINDOW = "Files", "Navigation", "Find", "View", "Analysis", "Panels", "Window"
STEPPING = "Steps"
SURFACE, TIMELINE, MESH, QUERY = "In the surface", "In the timeline", "In the 3D view of vertices", "In the query"
ITEMS = "In the legend of overlays, and in the stages of State"
BYTES, TEXELS = "In the bytes of a token", "While searching the surface for a value"
CONSOLE = "In the console's input"
PAIRS = "In Comparison"
LISTS, TREES, TYPING, EDITS = "In lists", "In trees", "While a filter is typed", "In the edits of What if"


@dataclass(frozen=True)
class Command:
    """`text`: as menus write it, with & and …  `keys`: at first.  `fixed`: Qt's own keys, listed and never changed."""

    name: str
    group: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    where: str = ""
    needs_capture: bool = True
    fixed: bool = False

    @property
    def words(self) -> str:
        """The text as one reads it."""
        return self.text.replace("&", "").rstrip("…")


def _rows(
    group: str, *rows: tuple[str, ...], where: str = "", needs_capture: bool = True, fixed: bool = False
) -> Iterator[Command]:
    """Rows of (name, text, keys, icon); keys are divided by blanks, icons may be left out."""
    for name, text, keys, *icons in rows:
        full = f"{where}.{name}" if where else name
        yield Command(full, group, text, tuple(keys.split()), "".join(icons), where, needs_capture, fixed)


COMMANDS: tuple[Command, ...] = (
    *_rows(
        FILES,
        ("open", "&Open…", "Ctrl+O", "open"),
        ("open-frames", "Open &frames of a trace…", ""),
        ("record", "Recor&d a program…", ""),
        needs_capture=False,
    ),
    *_rows(
        FILES,
        ("close", "&Close capture", "Ctrl+W"),
        ("save-picture", "&Save surface…", "Ctrl+S", "save"),
        ("copy-picture", "Copy s&urface", ""),
        ("save-all", "Save &all surfaces…", ""),
        ("save-textures", "Save all te&xtures…", ""),
        ("save-frames", "Save frames as a captur&e…", ""),
        ("save-program", "Save draw or frame as &Python…", ""),
        ("save-report", "Save repor&t…", "Ctrl+Shift+S"),
    ),
    *_rows(FILES, ("quit", "&Quit", "Ctrl+Q"), needs_capture=False),
    *_rows(
        WALK,
        ("back", "Back to the previous view", "Alt+Left", "back"),
        ("forward", "Forward again", "Alt+Right", "forward"),
        ("previous-event", "Previous event", "Left K", "previous-event"),
        ("next-event", "Next event", "Right J", "next-event"),
        ("previous-primitive", "Previous primitive", "["),
        ("next-primitive", "Next primitive", "]"),
        ("previous-draw", "Previous draw", "Ctrl+Left", "previous-draw"),
        ("next-draw", "Next draw", "Ctrl+Right", "next-draw"),
        ("previous-frame", "Previous frame", "Ctrl+Shift+Left", "previous-frame"),
        ("next-frame", "Next frame", "Ctrl+Shift+Right", "next-frame"),
        ("play", "Play frames", "P", "play"),
        ("first-event", "First event", "Home"),
        ("last-event", "Last event", "End"),
    ),
    *_rows(
        STEPPING,
        ("step-run", "Run to the next breakpoint", "F5"),
        ("step-run-back", "Run back to the previous breakpoint", "Shift+F5"),
        ("step-breakpoint", "Set or remove a breakpoint", "F9"),
        ("step-over", "Next stage or instruction", "F10"),
        ("step-over-back", "Previous stage or instruction", "Shift+F10"),
        ("step-into", "Next step", "F11"),
        ("step-into-back", "Previous step", "Shift+F11"),
    ),
    *_rows(
        FIND,
        ("go-to", "Go to a place…", "Ctrl+G", "target"),
        ("filter", "Filter the events or the panel's list", "Ctrl+F", "search"),
        ("find-next", "Next match of the filter", "F3"),
        ("find-previous", "Previous match of the filter", "Shift+F3"),
        ("bookmark", "&Bookmark the event, or remove its bookmark", "Ctrl+B"),
        *((f"bookmark-{number}", f"Go to bookmark {number}", str(number)) for number in range(1, 10)),
        ("next-of-rule", "Next finding of the selected rule", "F4"),
        ("previous-of-rule", "Previous finding of the selected rule", "Shift+F4"),
        ("copy-link", "Copy link to this view", "Ctrl+Shift+C"),
        ("paste-link", "Go to copied link", "Ctrl+Shift+V"),
    ),
    *_rows(
        LOOK,
        ("overlay", "Next surface overlay", "O"),
        *((name, f"Overlay: {OF_NAME.get(overlay, 'none')}", "") for name, overlay in OVERLAYS.items()),
        ("wires", "Draw wireframe", "W"),
    ),
    *_rows(
        ASK,
        ("disable", "Disable event (What if)", "Ctrl+D"),
        ("side-a", "Use event as side A of comparison", "Ctrl+Shift+A"),
        ("side-b", "Use event as side B of comparison", "Ctrl+Shift+B"),
        ("check-everything", "Check all rules", "F8"),
    ),
    *_rows(
        PANELS,
        ("panel-timeline", "Timeline", "Ctrl+1"),
        ("panel-events", "Events", "Ctrl+2"),
        ("panel-token", "Token", "Ctrl+3"),
        ("panel-surface", "Surface", "Ctrl+4"),
        ("panel-state", "State", "Ctrl+5"),
        ("panel-vertices", "Vertices", "Ctrl+6"),
        ("panel-resources", "Resources", "Ctrl+7"),
        ("panel-inspector", "Inspector", "Ctrl+8"),
        ("panel-calls", "API calls", "Ctrl+9"),
        ("panel-findings", "Findings", "Ctrl+0"),
        ("panel-stepping", "Steps", "Alt+1"),
        ("panel-history", "Pixel history", "Alt+2"),
        ("panel-statistics", "Statistics", "Alt+3"),
        ("panel-driver", "Driver", "Alt+4"),
        ("panel-query", "Query", "Alt+5"),
        ("panel-verify", "Verify", "Alt+6"),
        ("panel-bookmarks", "Bookmarks", "Alt+7"),
        ("panel-comparison", "Comparison", "Alt+8"),
        ("panel-what-if", "What if", "Alt+9"),
        ("panel-buffers", "Buffers", "Alt+0"),
        ("panel-notes", "Notes", "Ctrl+Shift+N"),
        ("panel-console", "Console", "Ctrl+Shift+K"),
    ),
    *_rows(
        WINDOW,
        ("palette", "&Find a command…", "Ctrl+Shift+P"),
        ("manual", "&Manual", "Shift+F1"),
        ("lessons", "&Lessons", ""),
        ("keys", "&Keyboard shortcuts…", "F1"),
        ("dismiss", "Dismiss the message", "Esc"),
        ("layout-inspect", "Layout: Inspect", "Alt+Shift+1"),
        ("layout-pixel", "Layout: Pixel", "Alt+Shift+2"),
        ("layout-geometry", "Layout: Geometry", "Alt+Shift+3"),
        ("layout-driver", "Layout: Driver", "Alt+Shift+4"),
        ("layout-compare", "Layout: Compare", "Alt+Shift+5"),
        ("save-layout", "Save layout as…", ""),
        ("reset-layout", "Reset layout", ""),
        ("hide-panel", "Hide panel", "Ctrl+F4"),
        ("float-panel", "Float panel, or dock it again", "Ctrl+Shift+F4"),
        ("copy-panel", "Copy a picture of the panel", ""),
        ("theme-system", "System theme", ""),
        ("theme-dark", "Dark theme", ""),
        ("theme-light", "Light theme", ""),
        ("theme-contrast", "High-contrast theme", ""),
        ("settings", "Settings…", "Ctrl+,"),
        ("log", "&Show log", ""),
        ("problem", "&Report a problem…", ""),
        ("about", "&About DDI Inspector", ""),
        needs_capture=False,
    ),
    *_rows(
        SURFACE,
        ("pixel-left", "Move the picked pixel left", "Shift+Left"),
        ("pixel-right", "Move the picked pixel right", "Shift+Right"),
        ("pixel-up", "Move the picked pixel up", "Shift+Up"),
        ("pixel-down", "Move the picked pixel down", "Shift+Down"),
        ("zoom-in", "Zoom in", "+ ="),
        ("zoom-out", "Zoom out", "-"),
        ("fit", "Fit", "0"),
        ("next-view", "Next view: image, all parts, cuts, palette, formula", "V"),
        ("histogram", "Range and histogram", "H"),
        ("fit-range", "Fit the range to the values present", "R"),
        ("keep-other", "Keep the image to compare with", "M"),
        ("copy-image", "Copy the image as it is shown", "Ctrl+C"),
        ("hold-before", "Show the surface before the event, while held", "B"),
        ("hold-other", "Show the image that was kept, while held", "Shift+B"),
        ("wipe-left", "Move the wipe line left", ","),
        ("wipe-right", "Move the wipe line right", "."),
        where="surface",
    ),
    *_rows(
        TEXELS,
        ("next", "Next texel with the value", "Return Enter"),
        ("previous", "Previous texel with the value", "Shift+Return Shift+Enter"),
        ("close", "Close the line", "Esc"),
        where="texels",
        fixed=True,
    ),
    *_rows(
        TIMELINE,
        ("zoom-in", "Zoom in", "+ ="),
        ("zoom-out", "Zoom out", "-"),
        ("left", "Scroll left", "Shift+Left"),
        ("right", "Scroll right", "Shift+Right"),
        ("fit", "Show the whole capture", "0"),
        where="timeline",
    ),
    *_rows(
        MESH,
        ("zoom-in", "Zoom in", "+ ="),
        ("zoom-out", "Zoom out", "-"),
        ("tilt-up", "Move the camera up", "Up"),
        ("tilt-down", "Move the camera down", "Down"),
        ("turn-left", "Turn left", ","),
        ("turn-right", "Turn right", "."),
        ("move-left", "Move left", "Shift+Left"),
        ("move-right", "Move right", "Shift+Right"),
        ("forward", "Move forward", "Shift+Up"),
        ("backward", "Move backward", "Shift+Down"),
        ("move-up", "Move up", "Shift+PgUp"),
        ("move-down", "Move down", "Shift+PgDown"),
        ("fit", "Fit", "0"),
        ("front", "Reset the view", "Backspace"),
        where="mesh",
    ),
    *_rows(
        QUERY,
        ("ask", "Run the query", "Ctrl+Return Ctrl+Enter"),
        ("earlier", "Previous query", "Ctrl+Up"),
        ("later", "Next query", "Ctrl+Down"),
        where="query",
    ),
    *_rows(
        CONSOLE,
        ("run", "Run the input; in an unfinished statement, a new line", "Return Enter"),
        ("earlier", "Previous input, from the first line", "Up"),
        ("later", "Next input, from the last line", "Down"),
        ("complete", "Complete the name, or indent the line", "Tab"),
        ("stop", "Stop the input that is running, or copy the selected text", "Ctrl+C"),
        where="console",
    ),
    *_rows(
        ITEMS,
        ("previous", "Previous row or stage", "Up Left"),
        ("next", "Next row or stage", "Down Right"),
        ("follow", "Go to its event, or stage", "Return Enter Space"),
        where="items",
        fixed=True,
    ),
    *_rows(BYTES, ("row-up", "Previous row", "Up"), ("row-down", "Next row", "Down"), where="bytes"),
    *_rows(
        PAIRS,
        ("next", "Next pair whose vertices differ", "F7"),
        ("previous", "Previous pair whose vertices differ", "Shift+F7"),
        where="pairs",
    ),
    *_rows(LISTS, ("copy", "Copy the selected rows", "Ctrl+C"), where="list"),
    *_rows(EDITS, ("remove", "Remove the edit", "Del"), where="edits"),
    *_rows(
        LISTS,
        ("first", "First row", "Home"),
        ("last", "Last row", "End"),
        ("page-up", "Page up", "PgUp"),
        ("page-down", "Page down", "PgDown"),
        ("left", "Scroll left (in the events: previous event)", "Left"),
        ("right", "Scroll right (in the events: next event)", "Right"),
        ("follow", "Go to what the row refers to", "Return"),
        ("menu", "Open the row's menu (in Steps only the menu key)", "Shift+F10 Menu"),
        ("all", "Select all rows", "Ctrl+A"),
        ("more-down", "Extend the selection down", "Shift+Down"),
        ("more-up", "Extend the selection up", "Shift+Up"),
        where="list",
        fixed=True,
    ),
    *_rows(
        TREES, ("close", "Collapse the branch", "Left -"), ("open", "Expand the branch", "Right +"), where="tree", fixed=True
    ),
    *_rows(EDITS, ("switch", "Enable or disable the edit", "Space"), where="edits", fixed=True),
    *_rows(
        TYPING,
        ("next", "Next suggestion; list the named filters", "Down"),
        ("previous", "Previous suggestion", "Up"),
        ("page-down", "Next page of suggestions", "PgDown"),
        ("page-up", "Previous page of suggestions", "PgUp"),
        ("take", "Accept the first suggestion", "Tab"),
        ("accept", "Accept the selected suggestion, or apply the filter", "Return Enter"),
        ("close", "Close the suggestions", "Esc"),
        where="typing",
        fixed=True,
    ),
)
BY_NAME = {command.name: command for command in COMMANDS}
GROUPS = tuple(dict.fromkeys(command.group for command in COMMANDS))

DIGITS = {command.name: command.keys[0][-1] for command in COMMANDS if re.match(r"Ctrl\+\d$", " ".join(command.keys))}
PRESETS: dict[str, dict[str, tuple[str, ...]]] = {
    "DDI Inspector": {},
    "RenderDoc": {
        **{name: (f"Ctrl+Alt+{digit}",) for name, digit in DIGITS.items()},
        **{f"bookmark-{number}": (f"Ctrl+{number}",) for number in range(1, 10)},
    },
    "PIX": {
        "timeline.zoom-in": ("W", "+", "="),
        "timeline.zoom-out": ("S", "-"),
        "timeline.left": ("A", "Shift+Left"),
        "timeline.right": ("D", "Shift+Right"),
        "wires": ("Ctrl+Alt+W",),
    },
    "Visual Studio": {"back": ("Ctrl+-", "Alt+Left"), "forward": ("Ctrl+Shift+-", "Alt+Right")},
}
"""What differs from the table."""
ABOUT_PRESETS = {
    "DDI Inspector": "The keys that DDI Inspector comes with.",
    "RenderDoc": "From RenderDoc's documentation (Event Browser): Ctrl+1 to Ctrl+9 go to bookmarks, so panels move to Ctrl+Alt "
    "and the digit. The keys for draws, Ctrl+F, Ctrl+G, Alt+Left and Alt+Right are already the same.",
    "PIX": "There is no published list of PIX's keys, so these are from memory and unverified: in the timeline, W and S zoom, "
    "A and D scroll (the wireframe moves to Ctrl+Alt+W). F5, F10 and F11 of its shader debugger are already the same.",
    "Visual Studio": "From Visual Studio's documentation (Keyboard shortcuts): Ctrl+- and Ctrl+Shift+- go back and forward. "
    "F5, F9, F10 and F11 are already the same.",
}
"""What a preset follows, and from which source; shown in the dialog of keys."""
