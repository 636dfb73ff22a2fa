-- Returns the part of a page's address that is made of its title.
-- function: slug(title TEXT NOT NULL, separator TEXT NOT NULL DEFAULT '-')
--   -> TEXT NOT NULL deterministic innocuous
-- function: earliest(VARIADIC days INTEGER NOT NULL AS Day) -> INTEGER AS Day deterministic
-- aggregate: median(value REAL) -> REAL
-- window: longest(word TEXT NOT NULL) -> TEXT
-- collation: localized
-- module: numbers(value INTEGER NOT NULL, start INTEGER HIDDEN, stop INTEGER HIDDEN)
--   eponymous only readonly innocuous

-- A page.
CREATE TABLE page (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL COLLATE localized CHECK (slug(title) <> ''),
  address TEXT NOT NULL GENERATED ALWAYS AS (slug(title)) STORED,
  score REAL,
  written INTEGER NOT NULL, -- AS Day
  changed INTEGER NOT NULL  -- AS Day
);

CREATE INDEX page_address ON page (slug(title, '_'));

INSERT INTO page (title, score, written, changed) VALUES ('Über uns', 3, 20, 10);
