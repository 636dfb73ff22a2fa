-- The number of notes, their total length, and their first and last dates.
DEFINE QUERY noteStats AS
SELECT
  count(*) FILTER (WHERE deleted IS NULL) AS notes,
  count(*) FILTER (WHERE deleted IS NOT NULL) AS deleted,
  count(*) FILTER (WHERE deleted IS NULL
    AND NOT EXISTS (SELECT 1 FROM note_tag WHERE note_tag.note = note.id)) AS untagged,
  coalesce(sum(length(body)) FILTER (WHERE deleted IS NULL), 0) AS characters,
  min(created) FILTER (WHERE deleted IS NULL) AS oldest,
  max(edited) FILTER (WHERE deleted IS NULL) AS newest
FROM note;

-- The number of notes for each tag.
DEFINE QUERY tagCounts AS
SELECT tag.name, count(*) AS notes
FROM tag
JOIN note_tag ON note_tag.tag = tag.id
JOIN note ON note.id = note_tag.note
WHERE note.deleted IS NULL
GROUP BY tag.id
ORDER BY notes DESC, tag.name;

-- The number of notes created in each month.
DEFINE QUERY notesByMonth AS
SELECT strftime('%Y-%m', created, 'unixepoch') AS month, count(*) AS notes
FROM note
WHERE deleted IS NULL
GROUP BY month
ORDER BY month DESC
LIMIT :limit;
