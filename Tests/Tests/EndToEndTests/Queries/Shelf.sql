-- The books of a shelf, in the order that its visitor chooses.
--
-- order: :sort = title, price DESC NULLS LAST, name AS author
DEFINE QUERY shelf AS
SELECT books.id, title, name FROM books JOIN authors ON authors.id = author_id
ORDER BY :sort, books.id;

-- Books that satisfy the given conditions.
DEFINE QUERY findBooks AS
SELECT books.*
FROM books JOIN authors ON authors.id = author_id /* if :author */ AND name LIKE :author
WHERE
  -- if :least, :most
  price BETWEEN :least AND :most
  -- if :ids
  AND books.id IN :ids
  -- if :isLent
  AND is_lent = :isLent
ORDER BY books.id;

-- Products that satisfy the given conditions.
DEFINE QUERY findProducts AS
SELECT * FROM product
WHERE
  -- if :ids
  product_id IN :ids
  -- if :most
  AND price <= :most
  -- if :state
  AND state = :state
  -- if :before
  AND added < :before
ORDER BY product_id;

-- filter: :matching = product_id, name, price, state, added
DEFINE QUERY productsMatching AS SELECT name FROM product WHERE :matching ORDER BY name;
