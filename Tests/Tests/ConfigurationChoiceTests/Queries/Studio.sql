DEFINE QUERY add_room AS INSERT INTO rooms VALUES (:code, :kind) RETURNING *;

DEFINE QUERY add_booking AS
INSERT INTO tbl_bookings (bk_room, guest, bk_at, price, bk_notes) VALUES (:room, :guest, :at, :price, :notes);

DEFINE QUERY all_bookings AS SELECT * FROM tbl_bookings ORDER BY bk_at;

DEFINE QUERY bookings_of AS
SELECT guest, bk_at, price FROM tbl_bookings WHERE bk_room = :room AND bk_at >= :after ORDER BY bk_at;

DEFINE QUERY rooms_and_notes AS
SELECT code, kind, guest, price FROM rooms LEFT JOIN tbl_bookings ON bk_room = code
ORDER BY code, bk_at;

DEFINE QUERY discounts AS
SELECT guest, discounted(price, :percent) AS price FROM tbl_bookings ORDER BY bk_at;

DEFINE QUERY last_price AS SELECT last_of(price) AS price FROM tbl_bookings;
