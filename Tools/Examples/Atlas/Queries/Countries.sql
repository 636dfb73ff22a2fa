-- The countries with the most time zones.
DEFINE QUERY mostZones AS
SELECT country.flag, country.display_name, count(*) AS zones,
  min(zone.longitude) AS westernmost, max(zone.longitude) AS easternmost
FROM country
JOIN zone_country ON zone_country.country = country.alpha2
JOIN zone ON zone.name = zone_country.zone
GROUP BY country.alpha2
ORDER BY zones DESC, country.display_name
LIMIT :limit;

-- A page of the country list.
DEFINE QUERY countryPage AS
SELECT flag, display_name, alpha2, alpha3, numeric_code
FROM country
ORDER BY display_name
LIMIT :page_size OFFSET :page_size * (:page - 1);

-- The full names of countries.
DEFINE QUERY countriesWithCodes AS
SELECT flag, alpha2, display_name, official_name
FROM country
WHERE alpha2 IN :codes
ORDER BY display_name;

-- The number of related rows of one country.
DEFINE QUERY overview AS
SELECT * FROM country_overview WHERE alpha2 = :code LIMIT 1;

-- Former countries whose codes have been reassigned.
DEFINE QUERY reusedCodes AS
SELECT former_country.alpha2, former_country.name AS formerly, former_country.withdrawn,
  country.flag, country.display_name AS today
FROM former_country
JOIN country ON country.alpha2 = former_country.alpha2
WHERE country.alpha3 <> former_country.alpha3
ORDER BY former_country.alpha2;

-- Countries that issue several currencies.
DEFINE QUERY issuersOfSeveral AS
SELECT country.flag, country.display_name, count(*) AS currencies,
  group_concat(currency.alpha3 || ' ' || currency.name, ', ') AS names
FROM country
JOIN currency ON currency.issuer = country.alpha2
GROUP BY country.alpha2
HAVING count(*) > 1
ORDER BY currencies DESC, country.display_name;
