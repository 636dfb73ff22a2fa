-- A country with the numbers of its related rows.
CREATE VIEW country_overview AS
SELECT
  country.alpha2,
  country.display_name,
  country.flag,
  (SELECT count(*) FROM subdivision WHERE subdivision.country = country.alpha2) AS subdivisions,
  (SELECT count(*) FROM zone_country WHERE zone_country.country = country.alpha2) AS zones,
  (SELECT count(*) FROM currency WHERE currency.issuer = country.alpha2) AS currencies
FROM country;
