"""The `.ddicap` file: an SQLite database, schema version 1.

`PRAGMA application_id` is 0x44444943 ("DDIC"), `PRAGMA user_version` the schema version.  A reader refuses a newer
version and keeps reading older ones.  While a recording runs the file is in WAL mode with a checkpoint after every
batch; a closed file is in DELETE mode, one file, and opens from read-only media.  Compressed columns (`zstd`) are
single zstd frames, of imports without a content checksum: their rows have digests.  Integers inside are little-endian.

    meta(key, value)                    value is JSON.  Keys: producer, created (UTC, ISO 8601), source_file,
                                        source_digest, code_digest, adapters, notices (list of sentences to show),
                                        closed (true if the recording ended properly), calls, sources (final counts).
    entry(id, name)                     names of the driver entry points that `batch.head` refers to.
    batch(first, calls, head, body, digest)
                                        the recorded stream, many driver calls per row, in order.  `first` is the number of
                                        the first call, `calls` how many.
                                        head = zstd(entry u2[calls], records u4[calls], source i8[calls]): the entry
                                        id, how many DP2 records the call carries (0 if it has no stream), the API call
                                        that caused it (-1 if unknown).
                                        body = zstd(MessagePack array of [args map, data map, result, out map] per
                                        call).  A value of the data map is a bin, or [blob id, size] for bytes kept in
                                        `blob`. Command buffers and their source numbers are always bins.
                                        digest = xxh3-64 of head + body, as a signed integer.
    blob(id, digest, size, data)        bulk bytes, each stored once.
                                        digest = xxh3-128 of the bytes.
                                        size = their number.
                                        data = zstd(bytes).
    signature(kind, id, name, members)  what source calls refer to: kind 0 function, 1 struct (members: JSON
                                        list of names), 2 enum, 3 bitmask (members: JSON list of [name, value]).
    source(first, calls, data, digest)  the API calls that the recording was made from, thousands per row.
                                        data = zstd of the columns described in `inspector.tape.sources`.
                                        digest = as in `batch`.
    finding(source, rule, text)         a rule that API call `source` broke while its driver calls were made: rule is an
                                        id of `core.spec.findings`, text a sentence.
    pointer(source, pointer, handle)    from API call `source` on, the API object at address `pointer` is the
                                        driver's surface or buffer `handle`; 0 if the object is gone.  In order of source.
    annotation(id, focus, text, created)
                                        the reader's notes; never part of the recorded stream.  focus is the text form
                                        of `inspector.focus.Focus`, created is UTC in ISO 8601.
    thumbnail(id, png)                  at most one row, id 1.

The schema holds no derived tables (events, tokens, state, findings): those are rebuilt from the stream.
"""

from __future__ import annotations

APPLICATION_ID = 0x44444943
VERSION = 1

CREATE = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE batch(
    first INTEGER PRIMARY KEY, calls INTEGER NOT NULL, head BLOB NOT NULL, body BLOB NOT NULL, digest INTEGER NOT NULL);
CREATE TABLE blob(id INTEGER PRIMARY KEY, digest BLOB NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE signature(
    kind INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, members TEXT NOT NULL, PRIMARY KEY(kind, id)
) WITHOUT ROWID;
CREATE TABLE source(first INTEGER PRIMARY KEY, calls INTEGER NOT NULL, data BLOB NOT NULL, digest INTEGER NOT NULL);
CREATE TABLE finding(source INTEGER NOT NULL, rule TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE pointer(source INTEGER NOT NULL, pointer INTEGER NOT NULL, handle INTEGER NOT NULL);
CREATE TABLE annotation(
    id INTEGER PRIMARY KEY, focus TEXT NOT NULL, text TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE thumbnail(id INTEGER PRIMARY KEY CHECK(id = 1), png BLOB NOT NULL);
"""
