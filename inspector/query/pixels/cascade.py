"""A texture stage in words: its operations as formulas, its arguments with their sources."""

from __future__ import annotations

from core.spec.enums import TextureArg, TextureOp
from inspector.query.state.at_event import DeviceState, Value

STAGES = 8
CHANNELS = ("COLOR", "ALPHA")
COLOR_ONLY = range(TextureOp.PREMODULATE, TextureOp.DOTPRODUCT3 + 1)
"""As ALPHAOP they select the first argument (docs/decisions.md)."""
THREE_ARGUMENTS = (TextureOp.MULTIPLYADD, TextureOp.LERP)
FORMULAS: dict[int, str] = {
    TextureOp.DISABLE: "as it was",
    TextureOp.SELECTARG1: "arg1",
    TextureOp.SELECTARG2: "arg2",
    TextureOp.MODULATE: "arg1 x arg2",
    TextureOp.MODULATE2X: "arg1 x arg2 x 2",
    TextureOp.MODULATE4X: "arg1 x arg2 x 4",
    TextureOp.ADD: "arg1 + arg2",
    TextureOp.ADDSIGNED: "arg1 + arg2 - 0.5",
    TextureOp.ADDSIGNED2X: "(arg1 + arg2 - 0.5) x 2",
    TextureOp.SUBTRACT: "arg1 - arg2",
    TextureOp.ADDSMOOTH: "arg1 + arg2 - arg1 x arg2",
    TextureOp.BLENDDIFFUSEALPHA: "arg1 x diffuse.a + arg2 x (1 - diffuse.a)",
    TextureOp.BLENDTEXTUREALPHA: "arg1 x texture.a + arg2 x (1 - texture.a)",
    TextureOp.BLENDFACTORALPHA: "arg1 x factor.a + arg2 x (1 - factor.a)",
    TextureOp.BLENDTEXTUREALPHAPM: "arg1 + arg2 x (1 - texture.a)",
    TextureOp.BLENDCURRENTALPHA: "arg1 x current.a + arg2 x (1 - current.a)",
    TextureOp.PREMODULATE: "arg1; it multiplies the texture of the next stage",
    TextureOp.MODULATEALPHA_ADDCOLOR: "arg1 + arg1.a x arg2",
    TextureOp.MODULATECOLOR_ADDALPHA: "arg1 x arg2 + arg1.a",
    TextureOp.MODULATEINVALPHA_ADDCOLOR: "(1 - arg1.a) x arg2 + arg1",
    TextureOp.MODULATEINVCOLOR_ADDALPHA: "(1 - arg1) x arg2 + arg1.a",
    TextureOp.BUMPENVMAP: "moves the coordinates of the next stage",
    TextureOp.BUMPENVMAPLUMINANCE: "moves the coordinates of the next stage and scales its texture",
    TextureOp.DOTPRODUCT3: "4 x the sum of (arg1 - 0.5) x (arg2 - 0.5), in all channels",
    TextureOp.MULTIPLYADD: "arg0 + arg1 x arg2",
    TextureOp.LERP: "arg0 x arg1 + (1 - arg0) x arg2",
}
"""What an operation computes (DX8 SDK: D3DTEXTUREOP); `current` is what the stage finds."""


def stage_titles(state: DeviceState) -> dict[int, str]:
    """The colour and alpha operations of the stages."""
    texts = [[state["TEXTURESTAGE", n, f"{channel}OP"].text for channel in CHANNELS] for n in range(STAGES)]
    return {n: f"stage {n}: {color}, alpha {alpha}" for n, (color, alpha) in enumerate(texts)}


class StageWords:
    """A texture stage in words.  textured: whether the stage reads a texel."""

    def __init__(self, state: DeviceState, stage: int, textured: bool) -> None:
        self._state, self._stage = state, stage
        self._passing = [] if textured else [channel for channel in CHANNELS if self._reads_texture(channel)]

    @property
    def formula(self) -> str:
        """As in "arg1 x arg2; alpha: arg1; clamped to 0..1"."""
        words = [self._formula(channel) for channel in CHANNELS]
        if self._op("COLOR") == TextureOp.DOTPRODUCT3 or words[0] == words[1]:
            del words[1]
        return "; alpha: ".join(words) + "; clamped to 0..1"

    def named(self, name: str) -> str:
        """A name of pixel_trace.Step with what the argument selects, as in "color_arg1 (TEXTURE)"; other names stay."""
        half, _, which = name.partition("_arg")
        if not which:
            return name
        channel = half.upper()
        return f"{name} ({'CURRENT' if channel in self._passing else self._value(f'{channel}ARG{which}').text})"

    def _value(self, name: str) -> Value:
        return self._state["TEXTURESTAGE", self._stage, name]

    def _op(self, channel: str) -> int:
        op = int(self._value(f"{channel}OP").raw[0])
        return int(TextureOp.SELECTARG1) if channel == "ALPHA" and op in COLOR_ONLY else op

    def _formula(self, channel: str) -> str:
        op = self._op(channel)
        return "CURRENT, as no texture is bound" if channel in self._passing else FORMULAS.get(op, f"operation {op}")

    def _reads_texture(self, channel: str) -> bool:
        op = self._op(channel)
        used = {"1": op != TextureOp.SELECTARG2, "2": op not in (TextureOp.SELECTARG1, TextureOp.PREMODULATE),
                "0": op in THREE_ARGUMENTS}  # fmt: skip
        selected = (int(self._value(f"{channel}ARG{which}").raw[0]) & TextureArg.SELECTMASK for which in used if used[which])
        return op != TextureOp.DISABLE and TextureArg.TEXTURE in selected
