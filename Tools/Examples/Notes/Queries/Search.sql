-- The notes that match a full-text query, the best first. A match in the title has eight times the weight.
--
-- The matches are delimited by U+0002 and U+0003, so that the caller can highlight them.
DEFINE QUERY findNotes AS
SELECT
  note.id,
  highlight(note_search, 0, char(2), char(3)) AS title,
  snippet(note_search, 1, char(2), char(3), '…', 12) AS excerpt,
  note.edited,
  bm25(note_search, 8.0, 1.0) AS score
FROM note_search
JOIN note ON note.id = note_search.rowid
WHERE note_search MATCH :words
  AND note.deleted IS NULL
  AND (:tag IS NULL OR EXISTS (
    SELECT 1
    FROM note_tag
    JOIN tag ON tag.id = note_tag.tag
    WHERE note_tag.note = note.id AND tag.name = :tag))
ORDER BY score, note.edited DESC
LIMIT :limit;
