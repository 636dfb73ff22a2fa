-- Searches all names by words.
DEFINE QUERY search AS
SELECT name, CAST(kind AS TEXT) AS kind, CAST(code AS TEXT) AS code
FROM name_index
WHERE name_index MATCH :words
ORDER BY rank, kind, code
LIMIT :limit;

-- The meanings of a code in all standards.
DEFINE QUERY meanings AS
SELECT 'country' AS kind, alpha2 AS code, display_name AS name
FROM country WHERE upper(:code) IN (alpha2, alpha3)
UNION ALL
SELECT 'former country', alpha4, name
FROM former_country WHERE upper(:code) IN (alpha2, alpha3, alpha4)
UNION ALL
SELECT 'language', alpha3, name
FROM language WHERE lower(:code) IN (alpha2, alpha3)
UNION ALL
SELECT 'currency', alpha3, name
FROM currency WHERE alpha3 = upper(:code)
UNION ALL
SELECT 'subdivision', subdivision.code, subdivision.name || ', ' || country.display_name
FROM subdivision
JOIN country ON country.alpha2 = subdivision.country
WHERE substr(subdivision.code, 4) = upper(:code)
ORDER BY kind, name;

-- Fills the index that ``search`` reads.
DEFINE QUERY indexNames AS
INSERT INTO name_index (name, kind, code)
SELECT display_name, 'country', alpha2 FROM country
UNION ALL
SELECT name, 'former country', alpha4 FROM former_country
UNION ALL
SELECT name, 'subdivision', code FROM subdivision
UNION ALL
SELECT name, 'language', alpha3 FROM language
UNION ALL
SELECT name, 'family', alpha3 FROM language_family
UNION ALL
SELECT name, 'script', alpha4 FROM script
UNION ALL
SELECT name, 'currency', alpha3 FROM currency;
