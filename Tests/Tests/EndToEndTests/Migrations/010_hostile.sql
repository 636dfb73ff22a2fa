-- Names that are reserved words in Swift or SQL.
CREATE TABLE "order" (
  "default" INTEGER NOT NULL,
  "two words" TEXT NOT NULL DEFAULT 'it''s \n """ #',
  "class" TEXT,
  "self" INTEGER,
  "init" ANY
);

CREATE TABLE data (id INTEGER PRIMARY KEY, value);

ALTER TABLE authors ADD COLUMN country TEXT;

CREATE TABLE choice (
  id INTEGER PRIMARY KEY,
  "row" TEXT NOT NULL CHECK ("row" IN (
    'self', 'Self', 'init', 'Type', 'class', 'hashValue', 'rawValue', 'allCases', 'none', '1st', '',
    'two words', 'two_words', '"\\(1)#"', '###'))
);
