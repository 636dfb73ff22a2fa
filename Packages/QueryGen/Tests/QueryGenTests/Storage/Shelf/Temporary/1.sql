-- A tape that the user has marked.
CREATE TEMP TABLE mark (
  tape INTEGER PRIMARY KEY,
  color TEXT NOT NULL CHECK (color IN ('red', 'blue'))
);

CREATE TEMP VIEW any_tape AS SELECT id, title FROM tape UNION ALL SELECT id, title FROM attic.tape;

CREATE TEMP TRIGGER unmark AFTER DELETE ON main.tape BEGIN
  DELETE FROM mark WHERE tape = old.id;
END;
