-- A country's subdivisions, recursively.
DEFINE QUERY divisionTree AS
WITH RECURSIVE part (code, name, type, depth, path) AS (
  SELECT code, name, type, 0, name
  FROM subdivision
  WHERE country = :country AND parent IS NULL
  UNION ALL
  SELECT child.code, child.name, child.type, part.depth + 1, part.path || ' / ' || child.name
  FROM part
  JOIN subdivision AS child ON child.parent = part.code
)
SELECT code, name, type, depth FROM part ORDER BY path;

-- The types of subdivisions, by frequency.
DEFINE QUERY divisionTypes AS
SELECT type, count(*) AS parts, count(DISTINCT country) AS countries
FROM subdivision
GROUP BY type
HAVING count(DISTINCT country) >= :at_least
ORDER BY countries DESC, parts DESC;

-- The countries with the most subdivisions, with their share of the world's total.
DEFINE QUERY mostDivided AS
WITH counted AS (
  SELECT country, count(*) AS parts FROM subdivision GROUP BY country
)
SELECT rank() OVER (ORDER BY counted.parts DESC) AS place, country.flag, country.display_name,
  counted.parts, 100.0 * counted.parts / sum(counted.parts) OVER () AS share,
  100.0 * sum(counted.parts) OVER (ORDER BY counted.parts DESC, counted.country)
    / sum(counted.parts) OVER () AS running_share
FROM counted
JOIN country ON country.alpha2 = counted.country
ORDER BY counted.parts DESC, counted.country
LIMIT :limit;

-- The names that occur in the most countries.
DEFINE QUERY sharedNames AS
SELECT subdivision.name, count(*) AS parts, count(DISTINCT subdivision.country) AS countries,
  group_concat(DISTINCT country.flag) AS flags
FROM subdivision
JOIN country ON country.alpha2 = subdivision.country
GROUP BY subdivision.name
HAVING count(DISTINCT subdivision.country) >= :at_least
ORDER BY countries DESC, subdivision.name;
