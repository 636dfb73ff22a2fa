-- The zones that are used in the most countries.
DEFINE QUERY sharedZones AS
SELECT zone.name, count(*) AS countries, group_concat(country.flag, ' ') AS flags
FROM zone
JOIN zone_country ON zone_country.zone = zone.name
JOIN country ON country.alpha2 = zone_country.country
GROUP BY zone.name
ORDER BY countries DESC, zone.name
LIMIT :limit;

-- The zones whose cities are nearest to a location.
--
-- An approximation: a degree of longitude counts as `:narrowing` degrees of latitude.
DEFINE QUERY nearestZones AS
SELECT zone.name, zone.latitude, zone.longitude,
  country.flag || ' ' || country.display_name AS country
FROM zone
JOIN zone_country ON zone_country.zone = zone.name AND zone_country.position = 1
JOIN country ON country.alpha2 = zone_country.country
ORDER BY (zone.latitude - :latitude) * (zone.latitude - :latitude)
  + (zone.longitude - :longitude) * (zone.longitude - :longitude) * :narrowing * :narrowing
LIMIT :limit;

-- The zones that satisfy a condition, from north to south.
-- filter: :matching = region, latitude, longitude
DEFINE QUERY zonesMatching AS
SELECT name, latitude, longitude FROM zone WHERE :matching ORDER BY latitude DESC, name;

-- The northernmost city of each region.
DEFINE QUERY northernmost AS
WITH placed AS (
  SELECT region, name, latitude,
    row_number() OVER (PARTITION BY region ORDER BY latitude DESC) AS place,
    count(*) OVER (PARTITION BY region) AS zones
  FROM zone
)
SELECT region, zones, name, latitude
FROM placed
WHERE place = 1
ORDER BY latitude DESC;
