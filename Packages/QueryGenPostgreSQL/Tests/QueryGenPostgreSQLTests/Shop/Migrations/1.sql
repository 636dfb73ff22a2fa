CREATE TYPE mood AS ENUM ('happy', 'so so', 'sad!');
CREATE DOMAIN email AS text CHECK (value LIKE '%@%');
CREATE TYPE address AS (street text, zip int, floors int[]);

CREATE TABLE customer (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  email email,
  mood mood NOT NULL DEFAULT 'happy',
  home address,
  tags text[] NOT NULL DEFAULT '{}',
  created timestamptz NOT NULL DEFAULT now(),
  born date,
  wakes time,
  settings jsonb NOT NULL DEFAULT '{"theme": "light"}',
  token uuid NOT NULL DEFAULT gen_random_uuid(),
  photo bytea
);
COMMENT ON TABLE customer IS 'A customer of the shop.';
COMMENT ON COLUMN customer.wakes IS 'The time of the newsletter.';

CREATE TABLE product (
  id bigint PRIMARY KEY,
  title varchar(80) NOT NULL,
  price numeric(10, 2) NOT NULL,
  weight float8,
  rating real,
  stock smallint NOT NULL DEFAULT 0,
  sizes int4range,
  warranty interval,
  details json,
  moods mood[]
);
CREATE TABLE orders (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id int NOT NULL REFERENCES customer,
  note text,
  placed timestamp NOT NULL DEFAULT now(),
  is_paid bool NOT NULL DEFAULT false
);
CREATE TABLE line (
  order_id int NOT NULL REFERENCES orders ON DELETE CASCADE,
  product_id bigint NOT NULL REFERENCES product,
  quantity int NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (order_id, product_id)
);
