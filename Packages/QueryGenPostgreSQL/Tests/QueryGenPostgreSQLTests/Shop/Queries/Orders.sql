addProduct:
INSERT INTO product (id, title, price, weight, rating, stock, sizes, warranty, details, moods)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (id) DO UPDATE SET title = excluded.title, price = excluded.price;

products: SELECT * FROM product ORDER BY id;

placeOrder: INSERT INTO orders (customer_id, note) VALUES (:customer, :note) RETURNING *;

addLine:
INSERT INTO line (order_id, product_id, quantity) VALUES (:order, :product, :quantity)
ON CONFLICT DO NOTHING RETURNING quantity;

orderTotals: SELECT * FROM totals ORDER BY id;

-- The lines of an order, with the sum of all of them.
orderLines:
SELECT p.title, l.quantity, l.quantity * p.price AS amount, sum(l.quantity) OVER () AS pieces
FROM line l JOIN product p ON p.id = l.product_id WHERE l.order_id = :order ORDER BY p.id;

-- Customers with the last order, if any: an outer join.
lastOrders:
SELECT c.name, o.id AS order_id, o.note, coalesce(o.is_paid, false) AS is_paid
FROM customer c LEFT JOIN LATERAL (
  SELECT * FROM orders WHERE customer_id = c.id ORDER BY id DESC LIMIT 1
) o ON true ORDER BY c.id;

titlesByOrder:
SELECT o.id, ARRAY(SELECT p.title FROM line l JOIN product p ON p.id = l.product_id
  WHERE l.order_id = o.id ORDER BY p.id) AS titles
FROM orders o ORDER BY o.id;

statistics:
SELECT count(*) AS orders, max(placed) AS last, avg(quantity) AS average
FROM orders LEFT JOIN line ON order_id = id;

payAll: UPDATE orders SET is_paid = true WHERE NOT is_paid;

payOrder: UPDATE orders SET is_paid = true WHERE id = :id RETURNING id, note;

recent:
WITH moved AS (DELETE FROM orders WHERE placed < :before RETURNING id, note)
SELECT id, note FROM moved;

countDown:
WITH RECURSIVE n(i) AS (SELECT :from::int UNION ALL SELECT i - 1 FROM n WHERE i > 1)
SELECT i FROM n;

lockOrder: SELECT id FROM orders WHERE id = :id FOR UPDATE;

notify: SELECT pg_notify('orders', :payload);

addresses: SELECT ROW('Main St', 1, '{1,2}')::address AS address, '[1,5)'::int4range AS range;
