CREATE VIEW totals AS
SELECT o.id, c.name, sum(l.quantity * p.price) AS total
FROM orders o JOIN customer c ON c.id = o.customer_id
LEFT JOIN line l ON l.order_id = o.id LEFT JOIN product p ON p.id = l.product_id
GROUP BY o.id, c.name;

-- Neither the text in dollars nor the comment has parameters: $1, :name; 'unfinished
CREATE FUNCTION keep_note() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  -- It's a quote; and :a parameter
  NEW.note := coalesce(NEW.note, OLD.note);
  RETURN NEW;
END
$body$;
CREATE TRIGGER keep_note BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION keep_note();

-- Names that need quotes, are keywords, or differ in Swift only by a number.
CREATE TYPE "Odd Type" AS ENUM ('a"b', '', 'ä ö', 'case', 'self', '1st');
CREATE TYPE "select" AS ("where" int, "größe" text, "a b" int, "a_b" int);
CREATE TABLE "odd ""table" (
  "select" int PRIMARY KEY,
  "größe" text,
  "a b" int NOT NULL,
  "$x" "Odd Type",
  "Type" text NOT NULL,
  "init" "select",
  "日本" bool NOT NULL
);
