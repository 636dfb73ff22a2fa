-- Adds a customer.
DEFINE QUERY addCustomer AS
INSERT INTO customer (name, email, mood, home, tags, born, wakes, photo)
VALUES (:name, :email, :mood, :home, :tags, :born, :wakes, :photo) RETURNING id;

-- All of them.
customers: SELECT * FROM customer ORDER BY id;

-- name: customerNamed :one
SELECT * FROM customer WHERE name = :name;

-- A customer by key: at most one row, without an annotation.
customer: SELECT * FROM customer WHERE id = $1;

customersByMail:
SELECT id, name, email FROM customer WHERE email = ANY (:mails) OR email IN :mails ORDER BY id;

customersExcept: SELECT name FROM customer WHERE id NOT IN :ids ORDER BY id;

-- Optional conditions: a parameter that is compared with NULL may be nil.
searchCustomers:
SELECT name, mood FROM customer
WHERE (:mood::mood IS NULL OR mood = :mood) AND (:prefix::text IS NULL OR name LIKE :prefix || '%')
ORDER BY name LIMIT :limit;

-- name: removeCustomers :execrows
DELETE FROM customer WHERE name = :name;

setSettings: UPDATE customer SET settings = :settings WHERE id = :id;

-- name: renameCustomer :one
UPDATE customer SET name = :name WHERE id = :id RETURNING *;

-- Strings, comments and casts have no parameters: :nothing, $2.
noParameters:
SELECT ':a $1' AS plain, E'it\'s :b' AS escaped, $$:c 'd $2$$ AS dollar, "name"::text AS cast_name,
  /* :e /* nested :f */ */ (ARRAY[1, 2, 3])[1:2] AS slice
FROM customer ORDER BY id;

homes: SELECT name, home, (home).street FROM customer WHERE home IS NOT NULL ORDER BY id;
