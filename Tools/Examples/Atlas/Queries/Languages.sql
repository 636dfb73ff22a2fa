-- The number of languages of each kind.
DEFINE QUERY languageKinds AS
SELECT
  CASE type
    WHEN 'A' THEN 'ancient'
    WHEN 'C' THEN 'constructed'
    WHEN 'E' THEN 'extinct'
    WHEN 'H' THEN 'historical'
    WHEN 'L' THEN 'living'
    ELSE 'special'
  END AS kind,
  count(*) AS languages,
  count(*) FILTER (WHERE scope = 'M') AS macrolanguages,
  count(alpha2) AS with_two_letters
FROM language
GROUP BY type
ORDER BY languages DESC;

-- The languages with two library codes.
DEFINE QUERY doubleCodes AS
SELECT language.name, language.alpha2, library_code.code AS terminological,
  library_code.bibliographic
FROM library_code
JOIN language ON language.alpha3 = library_code.language
WHERE library_code.bibliographic IS NOT NULL
ORDER BY language.name;

-- The constructed languages, with their library codes.
DEFINE QUERY constructedLanguages AS
SELECT language.name, language.alpha3, library_code.code AS library
FROM language
LEFT JOIN library_code ON library_code.language = language.alpha3
WHERE language.type = 'C'
ORDER BY library_code.code IS NULL, language.name;
