-- Adds a product as a draft.
DEFINE QUERY addProduct AS
INSERT INTO product (product_id, name, price, labels, details, page, added, checked, weight, rank, source, colour)
VALUES (:id, :name, :price, :labels, :details, :page, :added, :checked, :weight, :rank, :source, :colour)
RETURNING *;

DEFINE QUERY product AS SELECT * FROM product WHERE product_id = ?;

DEFINE QUERY productsIn AS SELECT * FROM product WHERE state IN :states ORDER BY name;

DEFINE QUERY restate AS UPDATE product SET state = :state WHERE product_id = :id;

DEFINE QUERY onSale AS SELECT * FROM on_sale ORDER BY name;

DEFINE QUERY statesAndColours AS
SELECT state, colour, coalesce(colour, 'none') AS shown FROM product ORDER BY name;

DEFINE QUERY states AS SELECT DISTINCT state FROM on_sale UNION SELECT state FROM product ORDER BY 1;

DEFINE QUERY prices AS SELECT price FROM product WHERE price > ? ORDER BY price;

DEFINE QUERY lowestPrice AS SELECT min(price) FROM product;

DEFINE QUERY priceOf AS SELECT price FROM product WHERE product_id = ?;

DEFINE QUERY checkedOf AS SELECT checked FROM product WHERE product_id = ?;

DEFINE QUERY checkedDates AS SELECT checked FROM product ORDER BY name;

DEFINE QUERY productsAt AS SELECT name FROM product WHERE price IN ? ORDER BY name;

-- name: searchProducts :many
-- All conditions are optional.
SELECT name FROM product
WHERE (:name IS NULL OR name LIKE :name) AND (:state IS NULL OR state = :state)
  AND (:from IS NULL OR added >= :from)
ORDER BY name;

DEFINE QUERY addSupplier AS INSERT INTO supplier (id, name) VALUES (?, ?);

DEFINE QUERY addOffer AS INSERT INTO offer (product, supplier, amount) VALUES (?, ?, ?);

DEFINE QUERY addRemark AS INSERT INTO remark (text, author, product) VALUES (?, ?, ?);

DEFINE QUERY offers AS
SELECT product.*, s.*, amount
FROM offer JOIN product ON product_id = product JOIN supplier AS s ON s.id = supplier
ORDER BY amount;

DEFINE QUERY suppliersAndOffers AS
SELECT supplier.*, offer.*
FROM supplier LEFT JOIN offer ON offer.supplier = supplier.id
ORDER BY supplier.id, amount;

DEFINE QUERY productsAndRemarks AS
SELECT name, remark.* FROM product LEFT JOIN remark ON remark.product = product_id
ORDER BY name, text;

-- Each supplier with a list of its products.
-- nest: product
DEFINE QUERY suppliersWithProducts AS
SELECT supplier.*, product.*
FROM supplier
LEFT JOIN offer ON offer.supplier = supplier.id
LEFT JOIN product ON product.product_id = offer.product
ORDER BY supplier.name, product.name;

-- name: supplierWithOffers :one
-- nest: amount, product AS offers
SELECT supplier.*, offer.amount, offer.product
FROM supplier LEFT JOIN offer ON offer.supplier = supplier.id
WHERE supplier.id = ?
ORDER BY amount;

-- nest: supplier AS suppliers
-- nest: text AS remarks
DEFINE QUERY productsInFull AS
SELECT product.*, supplier.name AS supplier, remark.text
FROM product
LEFT JOIN offer ON offer.product = product_id
LEFT JOIN supplier ON supplier.id = offer.supplier
LEFT JOIN remark ON remark.product = product_id
ORDER BY product.name, supplier.name, remark.text;

DEFINE QUERY gradeSupplier AS UPDATE supplier SET grade = :grade WHERE id = :id;

DEFINE QUERY suppliersOf AS SELECT * FROM supplier WHERE grade IN :grades ORDER BY id;

DEFINE QUERY gradeOf AS SELECT grade FROM supplier WHERE id = ?;

-- The products in each state.
-- type: total AS Price USING CentsFormat
-- type: :least AS Price USING CentsFormat
-- type: state AS String
DEFINE QUERY pricesByState AS
SELECT state, sum(price) AS total FROM product GROUP BY state HAVING sum(price) >= :least ORDER BY state;

-- type: added AS Date
DEFINE QUERY lastAdded AS SELECT max(added + 0) AS added FROM product;
