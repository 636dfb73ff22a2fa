CREATE TABLE product (
  id BLOB PRIMARY KEY NOT NULL,        -- AS UUID
  added INTEGER NOT NULL,              -- AS Date; any remark
  price INTEGER NOT NULL,              -- AS Price USING CentsFormat
  tags TEXT NOT NULL DEFAULT '[]',     -- AS [String]
  details TEXT,                        -- AS Details USING JSON
  kind INTEGER NOT NULL,               -- AS Kind USING RawValue
  state TEXT NOT NULL CHECK (state IN ('draft', 'on sale'))
);
