"""Images from files and captures: three formats, with size limits, and no other decoder of Pillow.

Pillow opens by content: among its formats are some that other programs are started for (PostScript).
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path

from PIL import Image

from core.errors import BadInput

FORMATS = ("PNG", "BMP", "JPEG")
MOST_PIXELS = 1 << 26  # 8192 x 8192
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)  # `read` says it in a sentence


def read(source: Path | str | bytes, name: str = "", formats: tuple[str, ...] = FORMATS) -> Image.Image:
    """The picture in a file, or in bytes that `name` names, wholly read.  BadInput says why there is none."""
    name = name or str(source)
    try:
        with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source, formats=formats) as file:
            width, height = file.size
            if width * height > MOST_PIXELS:
                raise BadInput(_too_large(name))
            file.load()
            return file.copy()
    except BadInput:
        raise
    except FileNotFoundError as error:
        raise BadInput(f"{name}: no such file") from error
    except Image.UnidentifiedImageError as error:
        raise BadInput(f"{name}: cannot be read as an image: it is not {_listed(formats)}") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise BadInput(_too_large(name)) from error
    except MemoryError as error:
        raise BadInput(f"{name}: not enough memory for this image") from error
    except Exception as error:  # whatever a decoder makes of bytes that are not as they should be
        raise BadInput(f"{name}: cannot be read as an image: {error}") from error


def _too_large(name: str) -> str:
    return f"{name}: an image of more than {MOST_PIXELS:,} pixels"


def _listed(formats: tuple[str, ...]) -> str:
    return " or ".join([*filter(None, [", ".join(formats[:-1])]), formats[-1]])
