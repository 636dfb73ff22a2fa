-- A traveler's visits to a country.
CREATE TABLE visit (
  country TEXT NOT NULL PRIMARY KEY REFERENCES country (alpha2) ON DELETE CASCADE,
  times INTEGER NOT NULL DEFAULT 1 CHECK (times > 0),
  note TEXT
) STRICT;

-- An imported source, so that a second run does not import it again.
CREATE TABLE source (
  name TEXT NOT NULL PRIMARY KEY,
  -- The file's size and modification time, to detect a newer edition.
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  row_count INTEGER NOT NULL CHECK (row_count >= 0)
) STRICT, WITHOUT ROWID;
