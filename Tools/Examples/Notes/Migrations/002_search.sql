-- The words of all notes, regardless of case and accents. The index stores no text, but reads the notes.
CREATE VIRTUAL TABLE note_search USING fts5 (
  title, body,
  content = 'note', content_rowid = 'id',
  prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);

-- Each write to a note updates the index in the same transaction.
CREATE TRIGGER note_indexed AFTER INSERT ON note BEGIN
  INSERT INTO note_search (rowid, title, body) VALUES (new.id, new.title, new.body);
END;

CREATE TRIGGER note_reindexed AFTER UPDATE OF title, body ON note BEGIN
  INSERT INTO note_search (note_search, rowid, title, body)
  VALUES ('delete', old.id, old.title, old.body);
  INSERT INTO note_search (rowid, title, body) VALUES (new.id, new.title, new.body);
END;

CREATE TRIGGER note_unindexed AFTER DELETE ON note BEGIN
  INSERT INTO note_search (note_search, rowid, title, body)
  VALUES ('delete', old.id, old.title, old.body);
END;
