-- A country or territory of ISO 3166-1.
CREATE TABLE country (
  alpha2 TEXT NOT NULL PRIMARY KEY CHECK (length(alpha2) = 2),
  alpha3 TEXT NOT NULL UNIQUE CHECK (length(alpha3) = 3),
  numeric_code INTEGER NOT NULL UNIQUE CHECK (numeric_code BETWEEN 1 AND 999),
  -- The name in the standard: "Bolivia, Plurinational State of".
  name TEXT NOT NULL,
  -- The common name, if it is different: "Bolivia".
  common_name TEXT,
  official_name TEXT,
  flag TEXT NOT NULL,
  display_name TEXT NOT NULL GENERATED ALWAYS AS (coalesce(common_name, name)) VIRTUAL
) STRICT;

CREATE INDEX country_by_name ON country (display_name);

-- A former country of ISO 3166-3.
CREATE TABLE former_country (
  alpha4 TEXT NOT NULL PRIMARY KEY CHECK (length(alpha4) = 4),
  -- Its former codes, which may have been reassigned to another country.
  alpha2 TEXT NOT NULL,
  alpha3 TEXT NOT NULL,
  numeric_code INTEGER,
  name TEXT NOT NULL,
  -- A year, or a date such as 1990-10-30.
  withdrawn TEXT NOT NULL,
  comment TEXT
) STRICT;

-- A subdivision of a country or of another subdivision, from ISO 3166-2.
CREATE TABLE subdivision (
  code TEXT NOT NULL PRIMARY KEY,
  country TEXT NOT NULL REFERENCES country (alpha2),
  -- The data may contain a subdivision before its parent, so the check is deferred.
  parent TEXT REFERENCES subdivision (code) DEFERRABLE INITIALLY DEFERRED,
  name TEXT NOT NULL,
  -- The country's name for this kind of subdivision: "Canton", "Prefecture".
  type TEXT NOT NULL,
  CHECK (substr(code, 1, 3) = country || '-'),
  CHECK (parent <> code)
) STRICT;

CREATE INDEX subdivision_by_country ON subdivision (country, parent);
CREATE INDEX subdivision_by_parent ON subdivision (parent);
