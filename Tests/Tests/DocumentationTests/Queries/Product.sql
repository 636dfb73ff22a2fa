-- type: total AS Price USING CentsFormat
-- type: :least AS Price USING CentsFormat
DEFINE QUERY totals AS SELECT sum(price) AS total FROM product GROUP BY state HAVING sum(price) > :least;

addProduct:
INSERT INTO product (id, added, price, kind, state) VALUES (?, ?, ?, ?, ?);

products: SELECT * FROM product;
