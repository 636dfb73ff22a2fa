-- A note. Numbers are never reused.
CREATE TABLE note (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL CHECK (title <> ''),
  body TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,  -- AS Date
  edited INTEGER NOT NULL,   -- AS Date
  -- The time of deletion. A deleted note can be restored until it is purged.
  deleted INTEGER            -- AS Date
) STRICT;

CREATE INDEX note_by_edited ON note (deleted, edited DESC, id DESC);

-- A tag that notes share, in lower case.
CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> '')
) STRICT;

-- A tag of a note.
CREATE TABLE note_tag (
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  tag INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
  PRIMARY KEY (note, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_tag_by_tag ON note_tag (tag);
