-- A product for sale.
CREATE TABLE product (
  product_id BLOB PRIMARY KEY NOT NULL, -- AS UUID
  name TEXT NOT NULL, -- The name for customers.
  -- AS Price USING CentsFormat
  price INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'on sale', 'sold out')),
  labels TEXT NOT NULL DEFAULT '[]' /* AS [String] */,
  details TEXT, -- AS Details USING JSON
  page TEXT, -- AS URL
  added INTEGER NOT NULL, -- AS Date
  checked REAL, -- AS Date; the last inspection
  weight TEXT, -- AS Decimal
  rank INTEGER, -- AS Rank
  source INTEGER -- AS Source USING RawValue
);

CREATE TABLE supplier (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  grade INTEGER NOT NULL DEFAULT 2 CHECK (grade IN (1, 2, 3)) -- AS ENUM poor, fair, good
);

CREATE TABLE offer (
  product BLOB NOT NULL REFERENCES product (product_id), -- AS UUID
  supplier INTEGER NOT NULL REFERENCES supplier (id),
  amount INTEGER NOT NULL,
  PRIMARY KEY (product, supplier)
);

CREATE TABLE remark (
  text TEXT,
  author TEXT,
  product BLOB -- AS UUID
);

ALTER TABLE product ADD COLUMN colour TEXT CHECK (colour IS NULL OR colour IN ('red', 'green')); -- The main one.

CREATE VIEW on_sale AS SELECT * FROM product WHERE state = 'on sale';
