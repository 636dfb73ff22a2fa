-- A note. A number is never given to a second one.
CREATE TABLE note (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL CHECK (title <> ''),
  body TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,  -- AS Date
  edited INTEGER NOT NULL,   -- AS Date
  -- When it was deleted; until it is purged it can be had back.
  deleted INTEGER            -- AS Date
) STRICT;

CREATE INDEX note_by_edited ON note (deleted, edited DESC, id DESC);

-- What notes have in common, in small letters.
CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> '')
) STRICT;

-- Which note has which tag.
CREATE TABLE note_tag (
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  tag INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
  PRIMARY KEY (note, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_tag_by_tag ON note_tag (tag);
