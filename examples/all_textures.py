"""Save every texture that a capture samples, once, as .dds and .png, with an index.

    python all_textures.py CAPTURE FOLDER

Files are named after a hash of their contents: the same texture has the same name in every capture.
"""

import csv
import sys
from pathlib import Path

import ddi_inspector as ddi
from ddi_inspector.inspector.exports.dds import dds
from ddi_inspector.inspector.exports.png import png

path, folder = sys.argv[1], Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)

with ddi.open(path) as capture, (folder / "index.csv").open("w", newline="", encoding="utf-8") as file:
    index = csv.writer(file)
    index.writerow(("name", "width", "height", "format", "levels", "draws", "first draw"))
    textures = capture.ask(ddi.UsedTextures())
    for texture in textures:
        (folder / f"{texture.name}.png").write_bytes(png(capture.image(texture.event, texture.handle)))
        try:
            (folder / f"{texture.name}.dds").write_bytes(dds(capture.moment(texture.event), texture.handle))
        except ddi.BadInput as error:  # a format that .dds does not have
            print(error)
        index.writerow(
            (texture.name, texture.width, texture.height, texture.format, texture.levels, texture.draws, texture.first)
        )
    print(f"{len(textures)} textures")
