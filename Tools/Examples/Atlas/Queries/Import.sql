DEFINE QUERY addCountry AS
INSERT INTO country (alpha2, alpha3, numeric_code, name, common_name, official_name, flag)
VALUES (:alpha2, :alpha3, :numeric_code, :name, :common_name, :official_name, :flag);

DEFINE QUERY addFormerCountry AS
INSERT INTO former_country (alpha4, alpha2, alpha3, numeric_code, name, withdrawn, comment)
VALUES (:alpha4, :alpha2, :alpha3, :numeric_code, :name, :withdrawn, :comment);

DEFINE QUERY addSubdivision AS
INSERT INTO subdivision (code, country, parent, name, type)
VALUES (:code, :country, :parent, :name, :type);

DEFINE QUERY addLanguage AS
INSERT INTO language (alpha3, alpha2, name, common_name, inverted_name, scope, type)
VALUES (:alpha3, :alpha2, :name, :common_name, :inverted_name, :scope, :type);

DEFINE QUERY addLanguageFamily AS
INSERT INTO language_family (alpha3, name) VALUES (:alpha3, :name);

-- The code belongs to the language with that code or, if there is none, to the family.
DEFINE QUERY addLibraryCode AS
INSERT INTO library_code (code, language, family, name, bibliographic)
VALUES (
  :code,
  (SELECT alpha3 FROM language WHERE alpha3 = :code),
  (SELECT alpha3 FROM language_family WHERE alpha3 = :code
    AND NOT EXISTS (SELECT 1 FROM language WHERE alpha3 = :code)),
  :name,
  :bibliographic);

DEFINE QUERY addScript AS
INSERT INTO script (alpha4, numeric_code, name) VALUES (:alpha4, :numeric_code, :name);

DEFINE QUERY addCurrency AS
INSERT INTO currency (alpha3, numeric_code, name) VALUES (:alpha3, :numeric_code, :name);

DEFINE QUERY addZone AS
INSERT INTO zone (name, latitude, longitude, comment)
VALUES (:name, :latitude, :longitude, :comment);

DEFINE QUERY addZoneCountry AS
INSERT INTO zone_country (zone, country, position) VALUES (:zone, :country, :position);

-- The imported sources with their editions.
DEFINE QUERY importedSources AS
SELECT * FROM source;

-- Records a source as completely imported.
DEFINE QUERY noteSource AS
INSERT INTO source (name, size, modified, row_count)
VALUES (:name, :size, :modified, :row_count);
