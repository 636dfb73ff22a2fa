CREATE TABLE rooms (
  code TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('small', 'large'))
);

CREATE TABLE tbl_bookings (
  bk_room TEXT NOT NULL,
  guest TEXT NOT NULL,
  bk_at DATETIME NOT NULL,
  price MONEY,
  bk_notes TEXT,
  anything ANY
);
