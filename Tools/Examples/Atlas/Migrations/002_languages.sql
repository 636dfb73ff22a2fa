-- A language of ISO 639-3.
CREATE TABLE language (
  alpha3 TEXT NOT NULL PRIMARY KEY CHECK (length(alpha3) = 3),
  alpha2 TEXT UNIQUE CHECK (length(alpha2) = 2),
  name TEXT NOT NULL,
  common_name TEXT,
  -- The name in the form that an index sorts by: "Greek, Ancient".
  inverted_name TEXT,
  -- I: individual, M: macrolanguage, S: special.
  scope TEXT NOT NULL CHECK (scope IN ('I', 'M', 'S')),
  -- A: ancient, C: constructed, E: extinct, H: historical, L: living, S: special.
  type TEXT NOT NULL CHECK (type IN ('A', 'C', 'E', 'H', 'L', 'S'))
) STRICT;

CREATE INDEX language_by_type ON language (type, scope);

-- A family or group of languages of ISO 639-5.
CREATE TABLE language_family (
  alpha3 TEXT NOT NULL PRIMARY KEY CHECK (length(alpha3) = 3),
  name TEXT NOT NULL
) STRICT;

-- A library code of ISO 639-2: for a language, for a family, or for neither.
CREATE TABLE library_code (
  code TEXT NOT NULL PRIMARY KEY,
  language TEXT REFERENCES language (alpha3),
  family TEXT REFERENCES language_family (alpha3),
  name TEXT NOT NULL,
  -- The older code, derived from the language's English name, if there are two codes.
  bibliographic TEXT UNIQUE,
  CHECK (language IS NULL OR family IS NULL)
) STRICT;

-- A writing system of ISO 15924.
CREATE TABLE script (
  alpha4 TEXT NOT NULL PRIMARY KEY CHECK (length(alpha4) = 4),
  numeric_code INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;
