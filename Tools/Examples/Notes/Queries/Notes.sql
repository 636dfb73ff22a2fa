-- The notes with their tags, the most recently edited first unless another order is chosen.
--
-- Optionally only notes with a given tag, or only deleted notes.
-- nest: tag
-- order: :order = edited DESC, created DESC, title COLLATE NOCASE AS title
DEFINE QUERY noteList AS
SELECT note.*, tag.*
FROM note
LEFT JOIN note_tag ON note_tag.note = note.id
LEFT JOIN tag ON tag.id = note_tag.tag
WHERE note.id IN (
  SELECT shown.id
  FROM note AS shown
  WHERE iif(:deleted, shown.deleted IS NOT NULL, shown.deleted IS NULL)
    -- if :tag
    AND EXISTS (
      SELECT 1
      FROM note_tag AS link
      JOIN tag AS wanted ON wanted.id = link.tag
      WHERE link.note = shown.id AND wanted.name = :tag)
  ORDER BY :order, shown.edited DESC, shown.id DESC
  LIMIT :limit)
ORDER BY :order, note.edited DESC, note.id DESC, tag.name;

-- One note, deleted or not.
-- name: noteWithTags :one
-- nest: tag
SELECT note.*, tag.*
FROM note
LEFT JOIN note_tag ON note_tag.note = note.id
LEFT JOIN tag ON tag.id = note_tag.tag
WHERE note.id = :id
ORDER BY tag.name;
