-- A currency of ISO 4217.
CREATE TABLE currency (
  alpha3 TEXT NOT NULL PRIMARY KEY CHECK (length(alpha3) = 3),
  numeric_code INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- By convention, the first two letters are the code of the issuing country.
  issuer TEXT NOT NULL GENERATED ALWAYS AS (substr(alpha3, 1, 2)) STORED
) STRICT;

CREATE INDEX currency_by_issuer ON currency (issuer);

-- A time zone of the tz database.
CREATE TABLE zone (
  name TEXT NOT NULL PRIMARY KEY,
  -- Degrees; north and east are positive.
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  -- The part of the country that uses the zone, if the country has several zones.
  comment TEXT,
  region TEXT NOT NULL GENERATED ALWAYS AS (substr(name, 1, instr(name, '/') - 1)) VIRTUAL
) STRICT;

-- The use of a zone by a country.
CREATE TABLE zone_country (
  zone TEXT NOT NULL REFERENCES zone (name) ON DELETE CASCADE,
  country TEXT NOT NULL REFERENCES country (alpha2),
  -- 1 for the country of the zone's principal city.
  position INTEGER NOT NULL CHECK (position > 0),
  PRIMARY KEY (country, zone)
) STRICT, WITHOUT ROWID;

CREATE INDEX zone_country_by_zone ON zone_country (zone, position);
