-- The visited countries.
DEFINE QUERY visits AS
SELECT country.flag, country.display_name, visit.times, visit.note
FROM visit
JOIN country ON country.alpha2 = visit.country
ORDER BY visit.times DESC, country.display_name;

-- Records a visit to a country. The first visit creates the row.
DEFINE QUERY recordVisit AS
INSERT INTO visit (country, note)
VALUES (:country, :note)
ON CONFLICT (country) DO UPDATE
SET times = times + 1, note = coalesce(excluded.note, note)
RETURNING country, times, note;

-- Replaces a visit's note.
DEFINE QUERY annotateVisit AS
UPDATE visit SET note = :note WHERE country = :country;

-- Deletes all visits.
DEFINE QUERY forgetVisits AS
DELETE FROM visit;
